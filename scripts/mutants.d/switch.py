"""The Swift source that makes one change at a time: all changes are compiled in, and an environment variable selects one."""
from sites import BINARY

# Characters that an operator may consist of, one for each digit.
DIGITS = '⊕⊖⊗⊘⊙⊚⊛⊜⊝⊞'

HEAD = '''
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

private let switchedOn: Int = getenv("NET_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

@usableFromInline func mutantIsOn(_ number: Int) -> Bool { switchedOn == number }

@usableFromInline func mutantKeeps(_ number: Int) -> Bool { switchedOn != number }

@usableFromInline func mutantValue<T>(_ number: Int, _ value: T, _ changed: T) -> T {
    switchedOn == number ? changed : value
}

@usableFromInline func mutantFlip(_ number: Int, _ condition: Bool) -> Bool { condition != (switchedOn == number) }

@usableFromInline func mutantMin<T: Comparable>(_ number: Int, _ first: T, _ second: T) -> T {
    switchedOn == number ? max(first, second) : min(first, second)
}

@usableFromInline func mutantMin<T: Comparable>(_ number: Int, _ first: T, _ second: T, _ third: T) -> T {
    switchedOn == number ? max(first, second, third) : min(first, second, third)
}

@usableFromInline func mutantMax<T: Comparable>(_ number: Int, _ first: T, _ second: T) -> T {
    switchedOn == number ? min(first, second) : max(first, second)
}

@usableFromInline func mutantMax<T: Comparable>(_ number: Int, _ first: T, _ second: T, _ third: T) -> T {
    switchedOn == number ? min(first, second, third) : max(first, second, third)
}
'''

COMPARED = '''
@usableFromInline func NAME<T: Comparable>(_ a: T, _ b: T) -> Bool { mutantIsOn(ID) ? a NEW b : a OLD b }
@usableFromInline func NAME<T: BinaryInteger, U: BinaryInteger>(_ a: T, _ b: U) -> Bool {
    mutantIsOn(ID) ? a NEW b : a OLD b
}
'''

EQUATED = '''
@usableFromInline func NAME<T: Equatable>(_ a: T, _ b: T) -> Bool { mutantIsOn(ID) ? a NEW b : a OLD b }
@usableFromInline func NAME<T: BinaryInteger, U: BinaryInteger>(_ a: T, _ b: U) -> Bool {
    mutantIsOn(ID) ? a NEW b : a OLD b
}
@usableFromInline func NAME<T>(_ a: T?, _ b: _OptionalNilComparisonType) -> Bool {
    mutantIsOn(ID) ? a NEW b : a OLD b
}
'''

JOINED = '''
@usableFromInline func NAME(_ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool {
    mutantIsOn(ID) ? try a NEW b() : try a OLD b()
}
'''

ADDED = '''
@usableFromInline func NAME<T: AdditiveArithmetic>(_ a: T, _ b: T) -> T { mutantIsOn(ID) ? a NEW b : a OLD b }
'''

APPENDED = '''
@usableFromInline func NAME<T: RangeReplaceableCollection>(_ a: T, _ b: T) -> T { mutantIsOn(ID) ? a : a + b }
@usableFromInline func NAME<T>(_ a: UnsafePointer<T>, _ b: Int) -> UnsafePointer<T> { mutantIsOn(ID) ? a : a + b }
@usableFromInline func NAME(_ a: UnsafeRawPointer, _ b: Int) -> UnsafeRawPointer { mutantIsOn(ID) ? a : a + b }
'''

ASSIGNED = '''
@usableFromInline func NAME<T: AdditiveArithmetic>(_ a: inout T, _ b: T) {
    if mutantIsOn(ID) { a NEW b } else { a OLD b }
}
'''

LENGTHENED = '''
@usableFromInline func NAME<T: RangeReplaceableCollection, S: Sequence>(_ a: inout T, _ b: S) where S.Element == T.Element {
    if mutantKeeps(ID) { a += b }
}
'''

MULTIPLIED = '''
@usableFromInline func NAME<T: Numeric>(_ a: T, _ b: T) -> T { mutantIsOn(ID) ? a + b : a * b }
@usableFromInline func NAME(_ a: Duration, _ b: Int) -> Duration { mutantIsOn(ID) ? a : a * b }
@usableFromInline func NAME(_ a: Duration, _ b: Double) -> Duration { mutantIsOn(ID) ? a : a * b }
'''

DIVIDED = '''
@usableFromInline func NAME<T: BinaryInteger>(_ a: T, _ b: T) -> T { mutantIsOn(ID) ? a * b : a / b }
@usableFromInline func NAME<T: FloatingPoint>(_ a: T, _ b: T) -> T { mutantIsOn(ID) ? a * b : a / b }
@usableFromInline func NAME(_ a: Duration, _ b: Int) -> Duration { mutantIsOn(ID) ? a : a / b }
@usableFromInline func NAME(_ a: Duration, _ b: Duration) -> Double { mutantIsOn(ID) ? b / a : a / b }
'''

OF_INTEGERS = '''
@usableFromInline func NAME<T: FixedWidthInteger>(_ a: T, _ b: T) -> T { mutantIsOn(ID) ? a NEW b : a OLD b }
'''

SHIFTED = '''
@usableFromInline func NAME<T: BinaryInteger, U: BinaryInteger>(_ a: T, _ b: U) -> T {
    mutantIsOn(ID) ? a NEW b : a OLD b
}
'''

DEFAULTED = '''
@usableFromInline func NAME<T>(_ a: T?, _ b: @autoclosure () throws -> T) rethrows -> T {
    if mutantKeeps(ID), let a { a } else { try b() }
}
@usableFromInline func NAME<T>(_ a: T?, _ b: @autoclosure () throws -> T?) rethrows -> T? {
    if mutantKeeps(ID), let a { a } else { try b() }
}
'''

RANGED = '''
@usableFromInline func NAME<T: Strideable>(_ a: T, _ b: T) -> Range<T> {
    mutantIsOn(ID) && a < b ? a..<b.advanced(by: -1) : a..<b
}
'''

NEGATED = '''
prefix operator NAME
@usableFromInline prefix func NAME(_ a: Bool) -> Bool { mutantIsOn(ID) ? a : !a }
'''

FORMS = {
    '<': COMPARED, '<=': COMPARED, '>': COMPARED, '>=': COMPARED, '==': EQUATED, '!=': EQUATED, '&&': JOINED,
    '||': JOINED, '+': ADDED + APPENDED, '-': ADDED, '&+': OF_INTEGERS, '&-': OF_INTEGERS, '*': MULTIPLIED,
    '/': DIVIDED, '%': OF_INTEGERS, '&': OF_INTEGERS, '|': OF_INTEGERS, '<<': SHIFTED, '>>': SHIFTED,
    '??': DEFAULTED, '+=': ASSIGNED + LENGTHENED, '-=': ASSIGNED, '..<': RANGED,
}


def operator_name(number):
    """Returns the operator for the change with that number."""
    return '⊹' + ''.join(DIGITS[int(digit)] for digit in str(number))


def switch(changes):
    """Returns the source that is added to a target: shared functions, and one operator for each changed operator."""
    parts = [HEAD]
    for number, site in changes:
        for _, _, text in site.edits:
            if text == '@!@':
                parts.append(filled(NEGATED, number, '', ''))
            elif text.startswith('@') and text.endswith('@'):
                old = text[1:-1]
                new, precedence = BINARY[old]
                parts.append(f'\ninfix operator {operator_name(number)}: {precedence}')
                parts.append(filled(FORMS[old], number, old, new))
    return ''.join(parts)


def filled(form, number, old, new):
    return form.replace('NAME', operator_name(number)).replace('ID', str(number)).replace('OLD', old).replace('NEW', new)


def applied(text, changes):
    """Returns the text of one file with its changes."""
    edits = []
    for number, site in changes:
        for start, end, piece in site.edits:
            if piece.startswith('@') and piece.endswith('@'):
                piece = operator_name(number)
                if text[start - 1:start] not in (' ', '\n', '(', '[', '!', ''):
                    piece = f' {piece} '
            edits.append((start, end, piece.replace('@', str(number))))
    for start, end, piece in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        text = text[:start] + piece + text[end:]
    return text
