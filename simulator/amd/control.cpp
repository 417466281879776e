// The flow of a wave: branches, waits, barriers, the end; and instructions that change nothing
// which a result shows (hints to caches and schedulers).
#include <algorithm>

#include <simulator/amd/apertures.hpp>
#include <simulator/amd/lanes.hpp>

namespace isofold::amd {

namespace {

void nothing(Wave&, const Instruction&) {}

template <class Condition>
void branch(Wave& wave, const Instruction& instruction) {
  if (Condition::of(wave)) {
    wave.next = instruction.target;
  }
}

struct Always {
  static bool of(const Wave&) { return true; }
};
struct Scc0 {
  static bool of(const Wave& wave) { return !wave.scc; }
};
struct Scc1 {
  static bool of(const Wave& wave) { return wave.scc; }
};
struct VccZero {
  static bool of(const Wave& wave) { return wave.mask(scalar_register::vcc) == 0; }
};
struct VccNotZero {
  static bool of(const Wave& wave) { return wave.mask(scalar_register::vcc) != 0; }
};
struct ExecZero {
  static bool of(const Wave& wave) { return wave.exec() == 0; }
};
struct ExecNotZero {
  static bool of(const Wave& wave) { return wave.exec() != 0; }
};

void end(Wave& wave, const Instruction&) {
  wave.perform_all();
  wave.state = Wave::State::ended;
}

void trap(Wave&, const Instruction&) { throw Fault("The kernel trapped."); }

void barrier(Wave& wave, const Instruction&) {
  if ((wave.exec() & wave.started_exec) != wave.started_exec) {
    throw Fault("The barrier is divergent: EXEC leaves out lanes that the wave has.");
  }
  wave.state = Wave::State::at_barrier;
}

void waitcnt(Wave& wave, const Instruction& instruction) {
  const auto wait = [&](Counter counter, u16 most) {
    if (most != 0xffff) {
      wave.wait(counter, most);
    }
  };
  wait(Counter::vector_memory, instruction.wait[0]);
  wait(Counter::local_memory, instruction.wait[1]);
  wait(Counter::scalar_memory, instruction.wait[1]);
  wait(Counter::stores, instruction.wait[2]);
}

void getpc(Wave& wave, const Instruction& instruction) {
  wave.set_pair(instruction.destination[0].first, instruction.next_address);
}

void jump(Wave& wave, u64 address) {
  const std::vector<u64>& addresses = wave.program().address;
  const auto found = std::lower_bound(addresses.begin(), addresses.end(), address);
  if (found == addresses.end() || *found != address) {
    throw Fault("The jump leads out of the kernel.");
  }
  wave.next = static_cast<u32>(found - addresses.begin());
}

void setpc(Wave& wave, const Instruction& instruction) {
  jump(wave, wave.pair(instruction.source[0].first));
}

// hwreg(name, offset, bits): the decoder puts the number of the register, offset and width into
// `immediate`.
void getreg(Wave& wave, const Instruction& instruction) {
  const u32 number = instruction.immediate & 0xff;
  const u32 offset = instruction.immediate >> 8 & 0xff;
  const u32 bits = instruction.immediate >> 16 & 0xff;
  u32 value = 0;
  if (number == 15) {  // SH_MEM_BASES
    value = (local_aperture >> 16) << 16 | private_aperture >> 16;
  } else if (number == 1) {  // MODE
    value = wave.mode;
  } else {
    throw Fault("The interpreter has no hardware register " + std::to_string(number) + ".");
  }
  value >>= offset;
  wave.set_scalar(instruction.destination[0].first,
                  bits == 32 ? value : value & ((1u << bits) - 1));
}

void setreg(Wave& wave, const Instruction& instruction) {
  const u32 number = instruction.immediate & 0xff;
  const u32 offset = instruction.immediate >> 8 & 0xff;
  const u32 bits = instruction.immediate >> 16 & 0xff;
  if (number != 1) {
    throw Fault("The interpreter cannot write hardware register " + std::to_string(number) + ".");
  }
  const Operand& source = instruction.source[0];
  const u32 value = source.kind == Operand::Kind::constant ? static_cast<u32>(source.value)
                                                           : wave.scalar(source.first);
  const u32 field = (bits == 32 ? ~0u : (1u << bits) - 1) << offset;
  wave.mode = (wave.mode & ~field) | (value << offset & field);
  if ((wave.mode & 15) != 0) {
    throw Fault("The kernel changes the rounding mode, in which the interpreter does not compute.");
  }
}

void denorm_mode(Wave& wave, const Instruction& instruction) {
  wave.mode = (wave.mode & ~0xf0u) | (instruction.immediate & 15) << 4;
}

Entry special(std::string_view name, Instruction::Execute execute) {
  Entry entry;
  entry.name = name;
  entry.form = Form::special;
  entry.execute = execute;
  return entry;
}

}  // namespace

std::initializer_list<Entry> control_entries() {
  static const std::initializer_list<Entry> entries = {
      special("s_branch", &branch<Always>),
      special("s_cbranch_scc0", &branch<Scc0>),
      special("s_cbranch_scc1", &branch<Scc1>),
      special("s_cbranch_vccz", &branch<VccZero>),
      special("s_cbranch_vccnz", &branch<VccNotZero>),
      special("s_cbranch_execz", &branch<ExecZero>),
      special("s_cbranch_execnz", &branch<ExecNotZero>),
      special("s_endpgm", &end),
      special("s_barrier", &barrier),
      special("s_waitcnt", &waitcnt),
      special("s_waitcnt_vscnt", &waitcnt),
      special("s_getreg_b32", &getreg),
      special("s_setreg_b32", &setreg),
      special("s_setreg_imm32_b32", &setreg),
      special("s_denorm_mode", &denorm_mode),
      special("s_trap", &trap),
      special("s_nop", &nothing),
      special("s_sleep", &nothing),
      special("s_clause", &nothing),
      special("s_delay_alu", &nothing),
      special("s_inst_prefetch", &nothing),
      special("s_setprio", &nothing),
      special("s_sendmsg", &nothing),
      special("s_waitcnt_depctr", &nothing),
      special("s_code_end", &trap),
      special(".long", &trap),  // data behind the code
      special("v_nop", &nothing),
      {"s_getpc_b64", Form::plain, {Type::u64, Type::none}, {}, &getpc},
      {"s_setpc_b64", Form::no_result, {}, {Type::u64}, &setpc},
  };
  return entries;
}

}  // namespace isofold::amd
