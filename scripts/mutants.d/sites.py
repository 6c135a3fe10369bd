"""The places in a source file where a change can be made, and the text that makes it once it is switched on."""
import re
from typing import NamedTuple

from swift_text import masked, tokens

# The replacement of each operator, and the precedence group that it keeps.
BINARY = {
    '<': ('<=', 'ComparisonPrecedence'), '<=': ('<', 'ComparisonPrecedence'),
    '>': ('>=', 'ComparisonPrecedence'), '>=': ('>', 'ComparisonPrecedence'),
    '==': ('!=', 'ComparisonPrecedence'), '!=': ('==', 'ComparisonPrecedence'),
    '&&': ('||', 'LogicalConjunctionPrecedence'), '||': ('&&', 'LogicalDisjunctionPrecedence'),
    '+': ('-', 'AdditionPrecedence'), '-': ('+', 'AdditionPrecedence'),
    '&+': ('&-', 'AdditionPrecedence'), '&-': ('&+', 'AdditionPrecedence'),
    '*': ('+', 'MultiplicationPrecedence'), '/': ('*', 'MultiplicationPrecedence'),
    '%': ('/', 'MultiplicationPrecedence'), '&': ('|', 'MultiplicationPrecedence'),
    '|': ('&', 'AdditionPrecedence'), '<<': ('>>', 'BitwiseShiftPrecedence'),
    '>>': ('<<', 'BitwiseShiftPrecedence'), '??': ('its right side', 'NilCoalescingPrecedence'),
    '+=': ('-=', 'AssignmentPrecedence'), '-=': ('+=', 'AssignmentPrecedence'),
    '..<': ('..< one less', 'RangeFormationPrecedence'),
}
SWAPPED = {'min': 'max', 'max': 'min'}
OPENING, CLOSING = '([{', ')]}'
# No test can see how much capacity is reserved, or which members a hash omits.
UNSEEN = re.compile(r'\.reserveCapacity\(|\bhasher\.combine\(')


class Site(NamedTuple):
    """One change: the pieces of text that replace pieces of the source, with `@` for the number of the change."""
    path: str
    line: int
    kind: str
    change: str
    source: str
    edits: tuple  # of (start, end, text)

    @property
    def key(self):
        """An identifier of the change that doesn't depend on the line number."""
        return f'{self.path} | {self.source} | {self.change}'


def sites(path, text):
    """Returns all places of a file, in the order of their lines."""
    return Finder(path, text).found()


class Finder:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.code = masked(text)
        self.tokens = tokens(self.code)
        self.sites = []

    def found(self):
        for index, token in enumerate(self.tokens):
            if self.is_left_out(token):
                continue
            if token.kind == 'operator':
                self.operator(index, token)
            elif token.kind == 'number':
                self.number(index, token)
            elif token.kind == 'word':
                self.word(index, token)
        self.calls()
        return sorted(self.sites, key=lambda site: (site.line, site.edits[0][0]))

    def line_at(self, start):
        begin = self.text.rfind('\n', 0, start) + 1
        end = self.text.find('\n', start)
        return self.text[begin:len(self.text) if end < 0 else end]

    def add(self, start, kind, change, *edits):
        line = self.text.count('\n', 0, start) + 1
        self.sites.append(Site(self.path, line, kind, change, self.line_at(start).strip(), tuple(edits)))

    def is_left_out(self, token):
        """True for patterns, attributes, imports and type aliases, which contain no expression, and for calls without a visible effect."""
        line = self.line_at(token.start).lstrip()
        return UNSEEN.search(line) is not None or re.match(
            r'(case |@|#|import |(public |package |internal |private )*import |'
            r'(public |package |private )*typealias |infix |prefix |precedencegroup )', line) is not None

    def operator(self, index, token):
        before, after = self.code[token.start - 1], self.code[token.end:token.end + 1]
        is_binary = before.isspace() and after.isspace() or token.text == '..<' and not before.isspace()
        if token.text in BINARY and is_binary and index > 0:
            if token.text in ('<', '>', '&') and self.tokens[index - 1].text in ('func', 'some', 'any'):
                return
            if token.text == '&' and self.tokens[index + 1].text[0].isupper():
                return
            change, _ = BINARY[token.text]
            self.add(token.start, 'operator', f'{token.text} as {change}', (token.start, token.end, f'@{token.text}@'))
        elif token.text == '!' and not (before.isalnum() or before in ')]}_?') and not after.isspace():
            self.add(token.start, 'condition', '! left out', (token.start, token.end, '@!@'))

    def number(self, index, token):
        previous = self.tokens[index - 1].text if index else ''
        following = self.tokens[index + 1].text if index + 1 < len(self.tokens) else ''
        if previous.endswith('.') and previous != '..' or '.' in token.text or previous == '-' or following.startswith('.'):
            return
        if re.fullmatch(r'.*[0-9A-Fa-f]', token.text) is None:
            return
        changed = '1' if token.text == '0' else '0' if token.text == '1' else f'{token.text} + 1'
        self.add(token.start, 'constant', f'{token.text} as {changed}',
                 (token.start, token.end, f'mutantValue(@, {token.text}, {changed})'))

    def word(self, index, token):
        following = self.tokens[index + 1] if index + 1 < len(self.tokens) else None
        previous = self.tokens[index - 1].text if index else ''
        if token.text in ('true', 'false') and previous != '.':
            other = 'false' if token.text == 'true' else 'true'
            self.add(token.start, 'constant', f'{token.text} as {other}',
                     (token.start, token.end, f'mutantValue(@, {token.text}, {other})'))
        elif token.text in SWAPPED and following and following.text == '(' and following.start == token.end \
                and not previous.endswith('.') and previous != 'func':
            other = SWAPPED[token.text]
            self.add(token.start, 'call', f'{token.text} as {other}',
                     (token.start, following.end, f'mutant{token.text.capitalize()}(@, '))
        elif token.text in ('if', 'guard', 'while') and following:
            self.condition(index, token)

    def condition(self, index, token):
        """Inverts a condition that consists of one expression."""
        depth, place = 0, index + 1
        while place < len(self.tokens):
            text = self.tokens[place].text
            if depth == 0 and (text == '{' or text == 'else'):
                break
            if depth == 0 and text in (',', '}') or text in ('let', 'var', 'case', '#', ';'):
                return
            depth += (text in OPENING) - (text in CLOSING)
            place += 1
        if place == index + 1 or place == len(self.tokens):
            return
        start, end = self.tokens[index + 1].start, self.tokens[place - 1].end
        self.add(start, 'condition', f'condition of {token.text} turned around',
                 (start, start, 'mutantFlip(@, '), (end, end, ')'))

    def calls(self):
        """Removes calls that are statements by themselves, on one line."""
        start = 0
        for line in self.code.split('\n'):
            match = re.fullmatch(r'(\s*)((?:try |await |_ = )*[A-Za-z_][\w.?!]*\(.*\))\s*', line.replace('\0', '"'))
            previous = self.code[:start].rstrip()[-1:]
            following = self.code[start + len(line):].lstrip()[:1]
            is_call = match and balanced(match[2]) and not UNSEEN.search(line)
            if is_call and (previous in ('{', '}', ')', ':') or previous.isalnum()):
                name = match[2].split('(')[0].split()[-1]
                if previous != ',' and following not in ('.', '?', '{', '+', '&', '|', '=') \
                        and name.split('.')[-1] not in ('init', 'precondition', 'assert') \
                        and not name[0].isupper():
                    first, last = start + len(match[1]), start + len(match[1]) + len(match[2])
                    self.add(first, 'call', f'no call of {name}',
                             (first, first, 'if mutantKeeps(@) { '), (last, last, ' }'))
            start += len(line) + 1


def balanced(text):
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth < 0:
            return False
    return depth == 0
