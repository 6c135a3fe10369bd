"""Swift source as text: the characters that are code, and the positions of words, operators and numbers in it."""
import re
from typing import NamedTuple

OPERATOR = re.compile(r'[-+*/%<>=!&|^~?.]+')
WORD = re.compile(r'[A-Za-z_][A-Za-z_0-9]*')
NUMBER = re.compile(r'0[xob][0-9A-Fa-f_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?')


OTHER = re.compile(r'(?<!!)(canImport\((Darwin|Musl|Android|Combine|FoundationNetworking)|os\((macOS|iOS|Windows))')


class Token(NamedTuple):
    kind: str  # word, operator, number, mark
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


def masked(text):
    """Returns the text with comments, strings and regular expressions replaced by blanks; the length stays the same."""
    kept, index, depth = list(text), 0, 0

    def blank(start, end):
        for place in range(start, end):
            if kept[place] != '\n':
                kept[place] = '\0' if kept[place] in '"' else ' '

    while index < len(text):
        if text.startswith('//', index):
            end = text.find('\n', index)
            end = len(text) if end < 0 else end
        elif text.startswith('/*', index):
            end, depth = index + 2, 1
            while depth and end < len(text):
                if text.startswith('/*', end):
                    depth, end = depth + 1, end + 2
                elif text.startswith('*/', end):
                    depth, end = depth - 1, end + 2
                else:
                    end += 1
        else:
            match = re.compile(r'(#*)("""|")|(#+)/').match(text, index)
            if not match:
                index += 1
                continue
            end = string_end(text, match)
        blank(index, end)
        index = end
    return without_other_platforms(''.join(kept))


def without_other_platforms(code):
    """Blanks the lines that are compiled only on other platforms."""
    lines, levels = code.split('\n'), []  # for each level: is this branch compiled, and was any branch compiled
    for index, line in enumerate(lines):
        directive = line.strip()
        if directive.startswith('#if '):
            other = OTHER.search(directive)
            levels.append([other is None, other is None])
        elif directive.startswith('#elseif ') and levels:
            other = OTHER.search(directive)
            levels[-1] = [not levels[-1][1] and other is None, levels[-1][1] or other is None]
        elif directive == '#else' and levels:
            levels[-1] = [not levels[-1][1], True]
        elif directive == '#endif' and levels:
            levels.pop()
        elif not all(level[0] for level in levels):
            lines[index] = ' ' * len(line)
    return '\n'.join(lines)


def string_end(text, match):
    """Returns the index after the literal that begins at the match, including its interpolations."""
    hashes, quote = match[1] or match[3] or '', match[2] or '/'
    index, closing, escape = match.end(), quote + hashes, '\\' + hashes
    while index < len(text):
        if text.startswith(closing, index):
            return index + len(closing)
        if text.startswith(escape + '(', index):
            index, depth = index + len(escape) + 1, 1
            while depth and index < len(text):
                inner = re.compile(r'(#*)("""|")').match(text, index)
                if inner:
                    index = string_end(text, re.compile(r'(#*)("""|")|(#+)/').match(text, index))
                    continue
                depth += {'(': 1, ')': -1}.get(text[index], 0)
                index += 1
        elif text.startswith(escape, index):
            index += len(escape) + 1
        else:
            index += 1
    return index


def tokens(code):
    """Returns the tokens of masked source. A masked string becomes the mark `"`."""
    found, index = [], 0
    while index < len(code):
        if code[index].isspace():
            index += 1
            continue
        for kind, pattern in (('word', WORD), ('number', NUMBER), ('operator', OPERATOR)):
            match = pattern.match(code, index)
            if match:
                found.append(Token(kind, match[0], index))
                index = match.end()
                break
        else:
            found.append(Token('mark', '"' if code[index] == '\0' else code[index], index))
            index += 1
    return found
