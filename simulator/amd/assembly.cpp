#include <simulator/amd/assembly.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace isofold::amd {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

// Pieces between separators that stand in no brackets.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : separator;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == separator && (depth == 0 || i == text.size())) {
      const std::string_view piece = trimmed(text.substr(begin, i - begin));
      if (!piece.empty()) {
        pieces.push_back(piece);
      }
      begin = i + 1;
    }
  }
  return pieces;
}

}  // namespace

std::string Line::take(const std::string& modifier) {
  const auto found = modifiers.find(modifier);
  if (found == modifiers.end()) {
    return {};
  }
  std::string value = found->second;
  modifiers.erase(found);
  return value;
}

Line parse_instruction(std::string_view text) {
  Line line;
  text = trimmed(text);
  line.text = std::string(text);
  const std::size_t end = text.find_first_of(" \t");
  line.mnemonic = std::string(text.substr(0, end));
  if (end == std::string_view::npos) {
    return line;
  }
  const std::vector<std::string_view> operands = split(text.substr(end), ',');
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::vector<std::string_view> words = split(operands[i], ' ');
    line.operands.emplace_back(words[0]);
    for (std::size_t word = 1; word < words.size(); ++word) {
      const std::size_t colon = words[word].find(':');
      const std::string name(words[word].substr(0, colon));
      line.modifiers[name] =
          colon == std::string_view::npos ? "" : std::string(words[word].substr(colon + 1));
    }
  }
  return line;
}

Line parse_line(std::string_view text) {
  const std::size_t comment = text.find("//");
  Line line = parse_instruction(text.substr(0, comment));
  if (comment == std::string_view::npos) {
    throw Fault("The disassembler printed no address: " + std::string(text));
  }
  const std::string rest(text.substr(comment + 2));
  char* after = nullptr;
  line.address = std::strtoull(rest.c_str(), &after, 16);
  line.next_address = line.address;
  // Behind the address stand the instruction's words, and for a branch its target as a symbol.
  for (const std::string_view word :
       split(std::string_view(after + (*after == ':' ? 1 : 0)), ' ')) {
    line.next_address += word.size() == 8 && word[0] != '<' ? 4u : 0u;
  }
  return line;
}

std::vector<std::string> disassemble(const std::string& objdump, const std::string& file,
                                     const std::string& symbol) {
  const std::string command =
      objdump + " -d -z --disassemble-symbols=" + symbol + " " + file + " 2>&1";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(command.c_str(), "r"), &pclose);  // NOLINT(bugprone-command-processor): of tests
  if (pipe == nullptr) {
    throw Fault("The disassembler did not start: " + command);
  }
  std::vector<std::string> lines;
  std::string line;
  char buffer[4096];
  std::string said;
  while (std::fgets(buffer, sizeof(buffer), pipe.get()) != nullptr) {
    line += buffer;
    if (line.back() != '\n') {
      continue;
    }
    line.pop_back();
    if (!line.empty() && line[0] == '\t') {
      lines.push_back(line);
    } else {
      said += line + " ";
    }
    line.clear();
  }
  if (lines.empty()) {
    throw Fault("The disassembler found no code of " + symbol + " (" + command + "): " + said);
  }
  return lines;
}

}  // namespace isofold::amd
