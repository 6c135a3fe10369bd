#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An encoder that produces a ``ParameterValue``: numbers with all digits, dates as RFC 3339, data as base64.
///
/// Throws for values that have no such text: a number that isn't finite, a date after the year 9999.
struct ParameterEncoder: Encoder {
    /// The storage of a container's values.
    final class Slot {
        private enum Kind { case none, single, object, array }

        // Separate properties, so that each grows in place: taking a list out of an enum and putting it back would copy
        // it each time.
        private var kind = Kind.none
        private var single = ParameterValue.null
        private var members: [ParameterValue.Member] = []
        private var places: [String: Int] = [:]
        private var elements: [ParameterValue] = []
        /// Passes the value to the container that this slot is nested in; nil at the top level.
        private let deliver: ((ParameterValue) -> Void)?

        init(deliver: ((ParameterValue) -> Void)? = nil) {
            self.deliver = deliver
        }

        var value: ParameterValue? {
            switch kind {
            case .none: nil
            case .single: single
            case .object: .object(members)
            case .array: .array(elements)
            }
        }

        var count: Int { elements.count }

        func set(_ value: ParameterValue) {
            (kind, single) = (.single, value)
            changed()
        }

        func set(_ value: ParameterValue, named name: String) {
            let member = ParameterValue.Member(name: name, value: value)
            if let place = places[name] {
                members[place] = member
            } else {
                places[name] = members.count
                members.append(member)
            }
            kind = .object
            changed()
        }

        func set(_ value: ParameterValue, at place: Int) {
            elements[place] = value
            changed()
        }

        func append(_ value: ParameterValue) {
            elements.append(value)
            changed()
        }

        func beginObject() {
            guard kind == .none else { return }
            kind = .object
            changed()
        }

        func beginArray() {
            (kind, elements) = (.array, [])
            changed()
        }

        private func changed() {
            if let deliver, let value { deliver(value) }
        }
    }

    var slot = Slot()
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode(_ value: some Encodable) throws -> ParameterValue {
        switch value {
        case let value as String: return .scalar(value)
        case let value as Date:
            guard RFC3339.canFormat(value) else {
                // Passes the number instead of the date: Foundation traps when it prints a date that far away.
                throw refusal(value.timeIntervalSince1970, "an RFC 3339 date-time has a year from 0 to 9999")
            }
            return .scalar(RFC3339.format(value))
        case let value as Data: return .scalar(value.base64EncodedString())
        case let value as URL: return .scalar(value.absoluteString)
        case let value as UUID: return .scalar(value.uuidString)
        case let value as Decimal: return .scalar(value.description)
        default:
            let encoder = ParameterEncoder()
            try value.encode(to: encoder)
            let result = encoder.slot.value ?? .null
            return (value as? any Unordered)?.ordered(result) ?? result
        }
    }

    static func refusal(_ value: Any, _ reason: String) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: reason, underlyingError: DecodingFailure.Reason(description: reason)))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.beginObject()
        return KeyedEncodingContainer(ParameterKeyedContainer<Key>(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.beginArray()
        return ParameterUnkeyedContainer(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        ParameterSingleContainer(slot: slot, codingPath: codingPath)
    }
}

/// A collection whose iteration order differs from run to run.
private protocol Unordered {
    /// Returns the encoded value in a stable order: elements by text, members by name.
    func ordered(_ encoded: ParameterValue) -> ParameterValue
}

extension Set: Unordered {
    fileprivate func ordered(_ encoded: ParameterValue) -> ParameterValue {
        guard case .array(let elements) = encoded else { return encoded }
        return .array(elements.sorted { $0.text < $1.text })
    }
}

extension Dictionary: Unordered {
    /// Swift encodes a dictionary whose keys are neither `String`, `Int` nor `CodingKeyRepresentable` as a list of
    /// alternating keys and values. It becomes an object if every key is a single text; otherwise, it stays a list.
    fileprivate func ordered(_ encoded: ParameterValue) -> ParameterValue {
        switch encoded {
        case .null, .scalar: return encoded
        case .object(let members): return .object(members.sorted { $0.name < $1.name })
        case .array(let elements):
            guard elements.count == 2 * count else { return encoded }
            let pairs = stride(from: 0, to: elements.count, by: 2).map { (elements[$0], elements[$0 + 1]) }
            let sorted = pairs.sorted { $0.0.text < $1.0.text }
            let members = sorted.compactMap { key, value -> ParameterValue.Member? in
                if case .scalar(let name) = key { ParameterValue.Member(name: name, value: value) } else { nil }
            }
            return members.count == count ? .object(members) : .array(sorted.flatMap { [$0.0, $0.1] })
        }
    }
}

private struct ParameterSingleContainer: SingleValueEncodingContainer {
    let slot: ParameterEncoder.Slot
    var codingPath: [any CodingKey]

    mutating func encodeNil() throws { slot.set(.null) }
    mutating func encode(_ value: Bool) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: String) throws { slot.set(.scalar(value)) }
    mutating func encode(_ value: Double) throws { slot.set(.scalar(try numberText(value))) }
    mutating func encode(_ value: Float) throws { slot.set(.scalar(try numberText(value))) }
    mutating func encode(_ value: Int) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: Int8) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: Int16) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: Int32) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: Int64) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: UInt) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: UInt8) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: UInt16) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: UInt32) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: UInt64) throws { slot.set(.scalar(value.description)) }
    mutating func encode(_ value: some Encodable) throws { slot.set(try ParameterEncoder.encode(value)) }

    /// Writes `3` instead of `3.0`: in JSON they're equal, and servers that expect an integer reject the latter.
    private func numberText(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws -> String {
        guard value.isFinite else { throw ParameterEncoder.refusal(value, "a number must be finite") }
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

private struct ParameterKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: ParameterEncoder.Slot
    var codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) throws { set(.null, key) }
    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        do {
            set(try ParameterEncoder.encode(value), key)
        } catch EncodingError.invalidValue(let refused, let context) {
            // The path is built only on failure: each part is encoded as if it were the whole value.
            throw EncodingError.invalidValue(
                refused,
                .init(
                    codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
                    underlyingError: context.underlyingError))
        }
    }

    private func set(_ value: ParameterValue, _ key: Key) { slot.set(value, named: key.stringValue) }

    private func nested(_ key: Key) -> ParameterEncoder {
        ParameterEncoder(slot: ParameterEncoder.Slot { [self] in set($0, key) }, codingPath: codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { ParameterEncoder(slot: slot, codingPath: codingPath) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }
}

private struct ParameterUnkeyedContainer: UnkeyedEncodingContainer {
    let slot: ParameterEncoder.Slot
    var codingPath: [any CodingKey]
    var count: Int { slot.count }

    mutating func encodeNil() throws { slot.append(.null) }
    mutating func encode(_ value: some Encodable) throws { slot.append(try ParameterEncoder.encode(value)) }

    private func nested() -> ParameterEncoder {
        let place = count
        slot.append(.null)
        return ParameterEncoder(
            slot: ParameterEncoder.Slot { [slot] in slot.set($0, at: place) }, codingPath: codingPath)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { nested() }
}
