#include <simulator/amd/decode.hpp>

#include <algorithm>
#include <memory>

#include <simulator/amd/decode_operand.hpp>
#include <simulator/amd/names.hpp>
#include <simulator/amd/table.hpp>
#include <simulator/amd/wave.hpp>

namespace isofold::amd {

namespace {

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

// Turns lines of text into instructions.
class Decoder {
 public:
  Decoder(Program& program, const Architecture& architecture)
      : program_(&program), architecture_(&architecture) {}

  Instruction decode(Line line, u64 loaded_at) {
    Instruction instruction;
    instruction.next_address = loaded_at + line.next_address;
    const std::size_t second = line.text.find(" :: ");
    if (second != std::string::npos) {
      return dual(line.text.substr(0, second), line.text.substr(second + 4), instruction);
    }
    std::string name = common_name(line.mnemonic);
    if (line.has("clamp") && find_entry(name + "_clamp") != nullptr) {
      line.take("clamp");
      name += "_clamp";
    }
    const Entry* const entry = find_entry(name);
    if (entry == nullptr) {
      throw Fault("The interpreter does not know the instruction " + line.mnemonic + ".");
    }
    instruction.execute = entry->execute;
    if (entry->form != Form::special) {
      arithmetic(line, name, *entry, instruction);
    } else if (entry->pieces != 0) {
      memory(line, name, *entry, instruction);
    } else {
      control(line, name, instruction);
    }
    if (!line.modifiers.empty()) {
      throw Fault("The interpreter does not know the modifier " + line.modifiers.begin()->first +
                  ".");
    }
    return instruction;
  }

  // Fills the sets of registers that waits are checked by.
  static void note_registers(Instruction& instruction, Program& program) {
    for (const Operand& operand : instruction.source) {
      instruction.reads.add(operand);
      count(operand, program);
    }
    for (const Operand& operand : instruction.destination) {
      instruction.writes.add(operand);
      count(operand, program);
    }
  }

 private:
  static void count(const Operand& operand, Program& program) {
    if (operand.kind == Operand::Kind::vector) {
      program.vector_registers = std::max(program.vector_registers, operand.first + operand.count);
    }
  }

  // Short encodings do not name the mask that they read, VCC, or the one that they write, EXEC.
  std::vector<std::string> with_masks(std::vector<std::string> operands, const Entry& entry) const {
    const auto there = [](Type type) { return type != Type::none; };
    const auto sources =
        static_cast<std::size_t>(std::count_if(entry.source.begin(), entry.source.end(), there));
    const auto destinations = static_cast<std::size_t>(
        std::count_if(entry.destination.begin(), entry.destination.end(), there));
    const std::string half = architecture_->lanes == 64 ? "" : "_lo";
    if (entry.form != Form::plain || operands.size() + 1 != sources + destinations) {
      return operands;
    }
    if (sources > 0 && entry.source[sources - 1] == Type::bit) {
      operands.push_back("vcc" + half);
    } else if (entry.destination[0] == Type::bit) {
      operands.insert(operands.begin(), "exec" + half);
    }
    return operands;
  }

  void arithmetic(Line& line, const std::string& name, const Entry& entry,
                  Instruction& instruction) {
    const std::vector<std::string> operands = with_masks(line.operands, entry);
    std::size_t next = 0;
    const auto take = [&](Type type) {
      if (next == operands.size()) {
        throw Fault("The instruction has fewer operands than " + name + " takes.");
      }
      Operand operand = decode_operand(operands[next++], type);
      if (entry.short_constant && operand.kind == Operand::Kind::constant) {
        operand.value = static_cast<u64>(i64{static_cast<i16>(operand.value)});
      }
      return operand;
    };
    if (entry.form != Form::no_result) {
      for (std::size_t i = 0; i < 2 && entry.destination[i] != Type::none; ++i) {
        instruction.destination[i] = take(entry.destination[i]);
      }
    }
    for (std::size_t i = 0; i < entry.source.size() && entry.source[i] != Type::none; ++i) {
      const bool is_old = entry.form == Form::accumulate && next == operands.size();
      instruction.source[i] = is_old ? instruction.destination[0] : take(entry.source[i]);
    }
    if (next != operands.size()) {
      throw Fault("The instruction has more operands than " + name + " takes.");
    }
    if (line.has("dst_sel") || line.has("src0_sel")) {
      decode_parts(line, instruction);
    }
    if (begins(name, "v_pk_")) {
      decode_selections(line, instruction);
    }
    instruction.swizzle = decode_swizzle(line, architecture_->lanes);
    const Type result = entry.destination[0];
    if (line.has("clamp") && (result == Type::f32 || result == Type::f64)) {
      line.take("clamp");
      instruction.clamp = true;
    }
  }

  void memory(Line& line, const std::string& name, const Entry& entry, Instruction& instruction) {
    instruction.bypass_cache = line.has("glc") || line.has("sc1");
    for (const char* cache : {"glc", "slc", "dlc", "sc0", "sc1", "nt"}) {
      line.take(cache);
    }
    instruction.pieces = entry.bytes == 0 ? 0 : entry.pieces;
    const auto offset = [&](const char* modifier) {
      return line.has(modifier) ? static_cast<i32>(decode_number(line.take(modifier))) : 0;
    };
    for (std::size_t i = 0; i < entry.pieces; ++i) {
      Piece& piece = instruction.piece[i];
      piece.bytes = entry.bytes;
      piece.first_register = static_cast<u8>(i * (entry.bytes / 4u));
      piece.offset = entry.pieces == 2 ? offset(i == 0 ? "offset0" : "offset1") * entry.offset_unit
                                       : offset("offset");
    }
    const std::size_t count = line.operands.size();
    const auto operand = [&](std::size_t number) {
      if (number >= count) {
        throw Fault("The instruction has fewer operands than " + name + " takes.");
      }
      return decode_operand(line.operands[number], Type::u32);
    };
    if (entry.bytes == 0) {
      return;  // caches
    }
    const bool upper_half = name.find("_d16_hi") != std::string::npos;
    if (begins(name, "s_load")) {
      instruction.destination[0] = operand(0);
      instruction.source[0] = operand(1);
      if (line.operands.at(2) == "null") {
        line.operands.at(2) = "0";
      }
      instruction.source[1] = operand(2);
    } else if (begins(name, "ds_")) {
      const bool reads = begins(name, "ds_read") || name.find("_rtn") != std::string::npos ||
                         name.find("permute") != std::string::npos;
      const std::size_t first = reads ? 1 : 0;
      instruction.destination[0] = reads ? operand(0) : Operand{};
      instruction.returns = reads;
      for (std::size_t i = first; i < count; ++i) {
        instruction.source[i - first] = operand(i);
      }
    } else if (begins(name, "buffer_")) {
      scratch_by_buffer(line, name, instruction);
    } else if (name.find("_load") != std::string::npos) {
      instruction.destination[0] = operand(0);
      instruction.source[0] = operand(1);
      instruction.source[1] = count > 2 ? operand(2) : Operand{};
    } else {
      // Stores, and atomics: the old value first, if it is asked for.
      const bool based = !begins(name, "flat_");
      instruction.returns = count == (based ? 4u : 3u);
      const std::size_t first = instruction.returns ? 1 : 0;
      instruction.destination[0] = instruction.returns ? operand(0) : Operand{};
      instruction.source[0] = operand(first);
      instruction.source[1] = operand(first + 1);
      instruction.source[2] = based ? operand(first + 2) : Operand{};
    }
    if (upper_half && instruction.destination[0].kind == Operand::Kind::none) {
      instruction.source[1].part.shift = 16;  // of a store
    }
  }

  // Before gfx940 scratch memory is reached through a descriptor in s[0:3], which the interpreter
  // does not look at: the address is an offset in the lane's own memory.
  static void scratch_by_buffer(Line& line, const std::string& name, Instruction& instruction) {
    if (line.operands.size() != 4 || line.operands[3] != "0" || line.operands[2] != "s[0:3]") {
      throw Fault("A buffer access that is not to the lane's scratch memory.");
    }
    line.take("offen");
    const Operand data = decode_operand(line.operands[0], Type::u32);
    const Operand lanes = decode_operand(line.operands[1], Type::u32);
    if (name.find("_load") != std::string::npos) {
      instruction.destination[0] = data;
      instruction.source[0] = lanes;
    } else {
      instruction.source[0] = lanes;
      instruction.source[1] = data;
    }
  }

  static void control(Line& line, const std::string& name, Instruction& instruction) {
    if (name == "s_waitcnt") {
      waits(line, instruction);
    } else if (name == "s_waitcnt_vscnt") {
      instruction.wait[2] = static_cast<u16>(decode_number(line.operands.at(1)));
    } else if (name == "s_getreg_b32") {
      instruction.destination[0] = decode_operand(line.operands.at(0), Type::u32);
      instruction.immediate = hardware_register(line.operands.at(1));
    } else if (begins(name, "s_setreg")) {
      instruction.immediate = hardware_register(line.operands.at(0));
      instruction.source[0] = decode_operand(line.operands.at(1), Type::u32);
    } else if (begins(name, "s_branch") || begins(name, "s_cbranch") || name == "s_denorm_mode") {
      instruction.immediate = static_cast<u32>(decode_number(line.operands.at(0)));
    }
    line.modifiers.clear();
  }

  static void waits(const Line& line, Instruction& instruction) {
    std::vector<std::string> words = line.operands;
    for (const auto& [name, value] : line.modifiers) {
      words.push_back(name);
    }
    for (const std::string& word : words) {
      const std::size_t open = word.find('(');
      const std::string counter = word.substr(0, open);
      if (counter == "&") {
        continue;
      }
      const std::size_t number = counter == "vmcnt"     ? 0u
                                 : counter == "lgkmcnt" ? 1u
                                 : counter == "vscnt"   ? 2u
                                 : counter == "expcnt"  ? 3u
                                                        : 4u;
      if (number == 4 || open == std::string::npos) {
        throw Fault("The interpreter knows no wait for " + word + ".");
      }
      instruction.wait[number] =
          static_cast<u16>(decode_number(word.substr(open + 1, word.size() - open - 2)));
    }
  }

  // "hwreg(HW_REG_SH_MEM_BASES, 16, 16)" as number, offset and bits.
  static u32 hardware_register(const std::string& text) {
    const std::size_t open = text.find('(');
    std::string inside = text.substr(open + 1, text.size() - open - 2);
    std::vector<std::string> words(1);
    for (const char c : inside) {
      if (c == ',') {
        words.emplace_back();
      } else if (c != ' ') {
        words.back() += c;
      }
    }
    const u32 number = words[0] == "HW_REG_SH_MEM_BASES" ? 15
                       : words[0] == "HW_REG_MODE"       ? 1
                                                   : static_cast<u32>(decode_number(words[0]));
    const u32 offset = words.size() > 1 ? static_cast<u32>(decode_number(words[1])) : 0;
    const u32 bits = words.size() > 2 ? static_cast<u32>(decode_number(words[2])) : 32;
    return number | offset << 8 | bits << 16;
  }

  // Two instructions that read before either writes: sources of the second that the first writes
  // are copied to a register of the interpreter's own.
  Instruction dual(const std::string& first, const std::string& second, Instruction both) {
    auto pair = std::make_shared<std::array<Instruction, 2>>();
    (*pair)[0] = decode(parse_instruction("v_" + first.substr(first.find("v_dual_") + 7)), 0);
    (*pair)[1] = decode(parse_instruction("v_" + second.substr(second.find("v_dual_") + 7)), 0);
    for (const Instruction& part : *pair) {
      for (const Operand& operand : part.source) {
        both.reads.add(operand);
        count(operand, *program_);
      }
      both.writes.add(part.destination[0]);
      count(part.destination[0], *program_);
    }
    both.dual = std::move(pair);
    both.execute = [](Wave& wave, const Instruction& instruction) {
      const std::array<Instruction, 2>& parts = *instruction.dual;
      const u16 written = parts[0].destination[0].first;
      Instruction later = parts[1];
      for (Operand& operand : later.source) {
        if (operand.kind == Operand::Kind::vector && operand.first == written) {
          operand.first = static_cast<u16>(wave.program().vector_registers - 1);
          std::copy_n(wave.vector(written), most_lanes, wave.vector(operand.first));
        }
      }
      parts[0].execute(wave, parts[0]);
      later.execute(wave, later);
    };
    return both;
  }

  Program* program_;
  const Architecture* architecture_;
};

// The number of the instruction that a branch leads to.
u32 target(const Program& program, const Line& line, u32 words, u64 loaded_at) {
  const u64 address =
      loaded_at + line.next_address + static_cast<u64>(i64{static_cast<i16>(words)} * 4);
  const auto found = std::lower_bound(program.address.begin(), program.address.end(), address);
  if (found == program.address.end() || *found != address) {
    throw Fault("The branch leads out of the kernel.");
  }
  return static_cast<u32>(found - program.address.begin());
}

}  // namespace

Program decode(const std::string& name, const std::vector<std::string>& lines,
               const Architecture& architecture, u64 loaded_at) {
  Program program;
  program.name = name;
  std::vector<Line> parsed;
  for (const std::string& text : lines) {
    parsed.push_back(parse_line(text));
    program.text.push_back(parsed.back().text);
    program.address.push_back(loaded_at + parsed.back().address);
  }
  Decoder decoder(program, architecture);
  for (const Line& line : parsed) {
    try {
      Instruction instruction = decoder.decode(line, loaded_at);
      if (begins(line.mnemonic, "s_branch") || begins(line.mnemonic, "s_cbranch")) {
        instruction.target = target(program, line, instruction.immediate, loaded_at);
      }
      Decoder::note_registers(instruction, program);
      program.instructions.push_back(std::move(instruction));
    } catch (const Fault& fault) {
      throw Fault(std::string(fault.what()) + " (" + line.text + ", in " + name + ")");
    }
  }
  ++program.vector_registers;  // for dual instructions
  return program;
}

}  // namespace isofold::amd
