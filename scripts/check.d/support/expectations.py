"""Reads the expectations of Swift tests: `#expect` and `#require`, their conditions, and the block that each is in."""
import re
from dataclasses import dataclass

CLOSING = {"(": ")", "[": "]", "{": "}"}
# Everything between the characters that begin or end something.
PLAIN = re.compile(r'[^"#/()\[\]{}&|,]+')
QUOTE = re.compile(r'(#*)("""(?=\n)|")')
REGEX = re.compile(r"#+/|/(?![\s/*])")
CALL = re.compile(r"#(expect|require)\s*(?=\()")


@dataclass
class Expectation:
    line: int
    name: str
    condition: str
    # The number of conditions that are joined by `&&` at the top level; 1 if `||` joins them.
    conjuncts: int
    # The text after the expectation up to the end of its block, and the place of that end.
    rest: str
    block_end: int


class Scanner:
    """Finds the expectations of a file in one pass; skips comments, strings and regular expressions."""

    def __init__(self, text):
        self.text, self.calls, self.blocks = text, [], []
        self.scan(0, None)

    def scan(self, start, closing):
        """Scans up to the closing bracket, and returns the place after it and those of commas and operators at this level."""
        text, place, marks = self.text, start, []
        while place < len(text):
            if found := PLAIN.match(text, place):
                place = found.end()
                continue
            letter = text[place]
            if letter == closing:
                return place + 1, marks
            if found := CALL.match(text, place):
                end, inner = self.scan(found.end() + 1, ")")
                self.calls.append((place, found[1], found.end() + 1, end, inner))
                place = end
            elif letter in CLOSING:
                end, _ = self.scan(place + 1, CLOSING[letter])
                if letter == "{":
                    self.blocks.append((place, end))
                place = end
            elif letter == "," or text.startswith(("&&", "||"), place):
                marks.append((place, letter))
                place += 1 if letter == "," else 2
            else:
                place = self.skip(place)
        return place, marks

    def skip(self, place):
        """Returns the place after a comment, a string, a regular expression, or one character."""
        text = self.text
        if text.startswith("//", place):
            end = text.find("\n", place)
            return len(text) if end < 0 else end
        if text.startswith("/*", place):
            return text.index("*/", place) + 2
        if found := QUOTE.match(text, place):
            return self.string(found)
        if (found := REGEX.match(text, place)) and self.begins_operand(place):
            end = "/" + "#" * (len(found[0]) - 1)
            after = found.end()
            while not text.startswith(end, after):
                after += 2 if text[after] == "\\" else 1
            return after + len(end)
        return place + 1

    def begins_operand(self, place):
        """Returns true if a slash can't be a division."""
        before = self.text[:place].rstrip(" ")[-1:]
        return self.text[place] == "#" or before in "(,[{:=" and "/" in self.text[place + 1 : self.text.find("\n", place)]

    def string(self, found):
        end, escape, place = found[2] + found[1], "\\" + found[1], found.end()
        while not self.text.startswith(end, place):
            if self.text.startswith(escape, place):
                place += len(escape)
                place = self.scan(place + 1, ")")[0] if self.text[place] == "(" else place + 1
            else:
                place += 1
        return place + len(end)


def expectations(text):
    """Yields each expectation of a file."""
    scanner = Scanner(text)
    for start, name, opening, end, marks in sorted(scanner.calls):
        condition_end = next((place for place, letter in marks if letter == ","), end - 1)
        condition = text[opening:condition_end]
        operators = [letter for place, letter in marks if place < condition_end]
        conjuncts = 1 if "|" in operators else len(operators) + 1
        block = max((each for each in scanner.blocks if each[0] < start < each[1]), default=(0, len(text)))
        yield Expectation(text.count("\n", 0, start) + 1, name, " ".join(condition.split()), conjuncts, text[end : block[1]], block[1])
