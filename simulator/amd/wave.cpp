#include <simulator/amd/wave.hpp>

#include <cinttypes>
#include <cstdio>

namespace isofold::amd {

namespace {

std::string name_of(std::size_t number) {
  if (number < first_accumulation_register) {
    return "v" + std::to_string(number);
  }
  if (number < vector_registers) {
    return "a" + std::to_string(number - first_accumulation_register);
  }
  const std::size_t scalar = number - vector_registers;
  return scalar == scalar_register::vcc       ? "vcc_lo"
         : scalar == scalar_register::vcc + 1 ? "vcc_hi"
                                              : "s" + std::to_string(scalar);
}

}  // namespace

void RegisterSet::add(const Operand& operand) {
  const std::size_t base = operand.kind == Operand::Kind::vector   ? 0
                           : operand.kind == Operand::Kind::scalar ? vector_registers
                                                                   : words.size() * 64;
  for (std::size_t i = 0; i < operand.count && base < words.size() * 64; ++i) {
    const std::size_t number = base + operand.first + i;
    if (number != vector_registers + scalar_register::null) {
      words[number / 64] |= u64{1} << number % 64;
    }
  }
}

Wave::Wave(const Surroundings& surroundings, const Program& program, Block& block)
    : surroundings_(&surroundings),
      program_(&program),
      block_(&block),
      lanes_(surroundings.architecture->lanes),
      vectors_(static_cast<std::size_t>(program.vector_registers) * most_lanes),
      scratch_(surroundings.scratch_bytes * most_lanes) {
  surroundings.random->fill(vectors_.data(), vectors_.size() * sizeof(u32));
  surroundings.random->fill(scalars_.data(), sizeof(scalars_));
  surroundings.random->fill(scratch_.data(), scratch_.size());
  scalars_[scalar_register::null] = 0;
  set_exec(lanes_ == 64 ? ~u64{0} : 0xffffffffu);
}

void Wave::set_exec(u64 mask) {
  scalars_[scalar_register::exec] = static_cast<u32>(mask);
  scalars_[scalar_register::exec + 1] = lanes_ == 64 ? static_cast<u32>(mask >> 32) : 0;
  for (int half = 0; half < halves(); ++half) {
    const u32 bits = scalars_[scalar_register::exec + static_cast<u32>(half)];
    u32* lanes = &active_[static_cast<std::size_t>(half) * 32];
    for (u32 lane = 0; lane < 32; ++lane) {
      lanes[lane] = 0u - (bits >> lane & 1);
    }
  }
  all_active_ = exec() == (lanes_ == 64 ? ~u64{0} : 0xffffffffu);
}

void Wave::set_scalar(u32 number, u32 value) {
  if (number == scalar_register::null) {
    return;
  }
  scalars_[number] = value;
  if (number >= scalar_register::exec) {
    set_exec(exec());
  }
}

void Wave::set_pair(u32 number, u64 value) {
  if (number == scalar_register::null) {
    return;
  }
  scalars_[number] = static_cast<u32>(value);
  scalars_[number + 1] = static_cast<u32>(value >> 32);
  if (number == scalar_register::exec) {
    set_exec(value);
  }
}

void Wave::set_mask(u32 number, u64 value) {
  if (lanes_ == 64) {
    set_pair(number, value);
  } else {
    set_scalar(number, static_cast<u32>(value));
  }
}

u32 Wave::run(u32 instructions) {
  const Instruction* const code = program_->instructions.data();
  const u32 size = static_cast<u32>(program_->instructions.size());
  u32 done = 0;
  while (done < instructions && state == State::ready) {
    if (next >= size) {
      throw Fault("The wave ran past the kernel's last instruction.");
    }
    const Instruction& instruction = code[next++];
    if (!flying_.empty()) {
      check_waited(instruction);
    }
    instruction.execute(*this, instruction);
    ++done;
  }
  return done;
}

std::string Wave::where() const {
  const std::size_t place = next > 0 ? next - 1 : 0;
  char address[32];
  std::snprintf(address, sizeof(address), "%" PRIx64, program_->address[place]);
  return "at 0x" + std::string(address) + ": " + program_->text[place];
}

void Wave::check_waited(const Instruction& instruction) const {
  if (!instruction.reads.meets(pending_) && !instruction.writes.meets(pending_)) {
    return;
  }
  for (std::size_t number = 0; number < pending_ticket_.size(); ++number) {
    if (!pending_.has(number)) {
      continue;
    }
    const bool read = instruction.reads.has(number);
    // Loads of one counter write in order, so the later one wins without a wait.
    const bool in_order = instruction.pieces > 0 && !read;
    if (read || (instruction.writes.has(number) && !in_order)) {
      throw Fault(name_of(number) + " is " + (read ? "read" : "written") +
                  " before the load into it was waited for.");
    }
  }
}

Access& Wave::issue(Counter counter) {
  if (idle_.empty()) {
    idle_.push_back(std::make_unique<Access>());
  }
  flying_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  Access& access = *flying_.back();
  access.counter = counter;
  access.ticket = ++ticket_;
  access.performed = false;
  access.exec = exec();
  access.lowest = ~u64{0};
  access.highest = 0;
  return access;
}

void Wave::issued(Access& access) {
  const RegisterSet& written = access.instruction->writes;
  for (std::size_t word = 0; word < written.words.size(); ++word) {
    pending_.words[word] |= written.words[word];
    for (u64 bits = written.words[word]; bits != 0; bits &= bits - 1) {
      pending_ticket_[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))] = access.ticket;
    }
  }
  if (surroundings_->random->below(16) >= surroundings_->defer_of_16) {
    perform(access);
  }
}

// LDS performs a wave's accesses in order; other memory keeps the order of accesses that overlap.
void Wave::perform(Access& access) {
  for (const std::unique_ptr<Access>& earlier : flying_) {
    if (earlier.get() == &access) {
      break;
    }
    const bool same_memory =
        (earlier->counter == Counter::local_memory) == (access.counter == Counter::local_memory);
    const bool overlaps = earlier->lowest <= access.highest && access.lowest <= earlier->highest;
    if (!earlier->performed && same_memory &&
        (access.counter == Counter::local_memory || overlaps)) {
      earlier->performed = true;
      earlier->perform(*this, *earlier);
    }
  }
  access.performed = true;
  access.perform(*this, access);
}

void Wave::retire(std::size_t place) {
  Access& access = *flying_[place];
  if (!access.performed) {
    perform(access);
  }
  const RegisterSet& written = access.instruction->writes;
  for (std::size_t word = 0; word < written.words.size(); ++word) {
    for (u64 bits = written.words[word]; bits != 0; bits &= bits - 1) {
      const std::size_t number = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (pending_ticket_[number] == access.ticket) {
        pending_.words[word] &= ~(bits & (~bits + 1));
      }
    }
  }
  idle_.push_back(std::move(flying_[place]));
  flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(place));
}

// Accesses of one kind end in the order of their issue, scalar loads in any order. An access has
// surely ended if it and those of its kind behind it would be more than may be outstanding.
void Wave::wait(Counter counter, u32 most_outstanding) {
  u32 behind = 0;
  for (std::size_t place = flying_.size(); place-- > 0;) {
    if (flying_[place]->counter != counter) {
      continue;
    }
    const bool surely_ended =
        counter == Counter::scalar_memory ? most_outstanding == 0 : behind >= most_outstanding;
    if (surely_ended) {
      retire(place);
    } else {
      ++behind;
    }
  }
}

void Wave::perform_all() {
  while (!flying_.empty()) {
    retire(0);
  }
}

}  // namespace isofold::amd
