#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Conversions of single entries. `key` leads from this decoder's value to the entry; nil for the value itself.
extension JSONTreeDecoder {
    func bool(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> Bool {
        let entry = document.entries[index]
        guard entry.kind == .true || entry.kind == .false else {
            throw JSONFailure.mismatch(Bool.self, entry, path(key()))
        }
        return entry.kind == .true
    }

    func string(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> String {
        let entry = document.entries[index]
        guard entry.kind == .string else { throw mismatch(String.self, entry, key()) }
        return try text(index)
    }

    /// Returns the text of a string or name; throws the decoding error for invalid JSON.
    func text(_ index: Int) throws -> String {
        do {
            return try document.string(at: index)
        } catch {
            throw error.decodingError
        }
    }

    func integer<Value: FixedWidthInteger>(
        _ index: Int, _ key: @autoclosure () -> (any CodingKey)?
    ) throws -> Value {
        try checkNumber(Value.self, index, key())
        guard let value = document.integer(at: index, Value.self) else { throw JSONFailure.number(path(key())) }
        return value
    }

    func double(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> Double {
        if let special: Double = try special(index) { return special }
        try checkNumber(Double.self, index, key())
        guard let value = document.double(at: index) else { throw JSONFailure.number(path(key())) }
        return value
    }

    func float(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> Float {
        if let special: Float = try special(index) { return special }
        try checkNumber(Float.self, index, key())
        guard let value = document.float(at: index) else { throw JSONFailure.number(path(key())) }
        return value
    }

    /// Returns the value that the settings assign to a text used in place of a number.
    private func special<Value: BinaryFloatingPoint>(_ index: Int) throws -> Value? {
        guard document.entries[index].kind == .string,
            case .convertFromString(let positive, let negative, let nan) = shared.settings.floats
        else { return nil }
        switch try text(index) {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: return nil
        }
    }

    private func checkNumber(
        _ type: Any.Type, _ index: Int, _ key: @autoclosure () -> (any CodingKey)?
    ) throws {
        let entry = document.entries[index]
        guard entry.isNumber else { throw mismatch(type, entry, key()) }
    }

    private func mismatch(_ type: Any.Type, _ entry: JSONEntry, _ key: (any CodingKey)?) -> DecodingError {
        entry.kind == .null ? JSONFailure.null(type, path(key)) : JSONFailure.mismatch(type, entry, path(key))
    }

    private func decimal(_ index: Int, _ key: (any CodingKey)?) throws -> Decimal {
        try checkNumber(Decimal.self, index, key)
        guard let value = document.decimal(at: index) else { throw JSONFailure.number(path(key)) }
        return value
    }

    private func url(_ index: Int, _ key: (any CodingKey)?) throws -> URL {
        let entry = document.entries[index]
        guard entry.kind == .string else {
            throw entry.kind == .null
                ? JSONFailure.null(URL.self, path(key)) : JSONFailure.mismatch(String.self, entry, path(key))
        }
        guard let url = URL(string: try text(index)) else {
            throw JSONFailure.invalid("the text is not a URL", path(key))
        }
        return url
    }
}

extension JSONTreeDecoder {
    func openValue(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> JSONValue {
        do {
            return try document.value(at: index, names: shared.settings.names, path: path(key()))
        } catch let error as UnreadableJSON {
            throw error.decodingError
        } catch DecodingError.dataCorrupted(let context) where !shared.settings.names.isCustom {
            throw JSONFailure.number(path(key()) + context.codingPath)
        }
    }

    /// Returns a value of any type. Types whose form depends on the settings are converted here, as are the types
    /// that Foundation's decoder converts itself.
    func value<Value: Decodable>(
        _ type: Value.Type, _ index: Int, _ key: @autoclosure () -> (any CodingKey)?
    ) throws -> Value {
        // Generic containers, such as arrays, also request plain types here.
        if type == String.self { return try same(string(index, key())) }
        if type == JSONValue.self { return try same(openValue(index, key())) }
        if type == Int.self { return try same(integer(index, key()) as Int) }
        if type == Double.self { return try same(double(index, key())) }
        if type == Bool.self { return try same(bool(index, key())) }
        if type == Date.self { return try same(date(index, key())) }
        if type == Data.self { return try same(data(index, key())) }
        if type == URL.self { return try same(url(index, key())) }
        if type == Decimal.self { return try same(decimal(index, key())) }
        if !shared.settings.names.areAsWritten, let dictionary = type as? any JSONDictionary.Type {
            return try same(dictionary.read(nested(index, key())))
        }
        return try Value(from: nested(index, key()))
    }

    func nested(_ index: Int, _ key: (any CodingKey)?) -> JSONTreeDecoder {
        JSONTreeDecoder(shared, index, parent: self, key: key)
    }

    /// Returns a value as the type that it is known to have.
    private func same<Value>(_ value: some Any) throws -> Value {
        guard let same = value as? Value else { throw JSONFailure.invalid("\(Value.self) is another type", codingPath) }
        return same
    }

    private func date(_ index: Int, _ key: (any CodingKey)?) throws -> Date {
        if document.entries[index].kind == .null { throw JSONFailure.null(Date.self, path(key)) }
        switch shared.settings.dates {
        case .deferredToDate: return try Date(from: nested(index, key))
        case .secondsSince1970: return Date(timeIntervalSince1970: try double(index, key))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(index, key) / 1000)
        case .iso8601:
            guard let date = try? Date.ISO8601FormatStyle().parse(try string(index, key)) else {
                _ = try string(index, key)
                throw JSONFailure.invalid("the text is not an ISO 8601 date", path(key))
            }
            return date
        case .custom(let read): return try read(nested(index, key))
        #if canImport(Darwin)
        case .formatted(let formatter):
            guard let date = formatter.date(from: try string(index, key)) else {
                throw JSONFailure.invalid("the text is not a date of the expected format", path(key))
            }
            return date
        @unknown default: return try Date(from: nested(index, key))
        #endif
        }
    }

    private func data(_ index: Int, _ key: (any CodingKey)?) throws -> Data {
        let entry = document.entries[index]
        if entry.kind == .null { throw JSONFailure.null(Data.self, path(key)) }
        switch shared.settings.data {
        case .deferredToData: return try Data(from: nested(index, key))
        case .base64:
            guard let data = Data(base64Encoded: try string(index, key)) else {
                throw JSONFailure.invalid("the text is not valid base64", path(key))
            }
            return data
        case .custom(let read): return try read(nested(index, key))
        #if canImport(Darwin)
        @unknown default: return try Data(from: nested(index, key))
        #endif
        }
    }
}

extension JSONNames {
    fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }
}

/// A dictionary with string keys. The keys are data, so the settings for names don't change them.
private protocol JSONDictionary {
    static func read(_ decoder: JSONTreeDecoder) throws -> Self
}

extension Dictionary: JSONDictionary where Key == String, Value: Decodable {
    fileprivate static func read(_ decoder: JSONTreeDecoder) throws -> Self {
        let container = try decoder.members(names: .asWritten, as: JSONKey.self)
        var result: Self = [:]
        for key in container.allKeys { result[key.stringValue] = try container.decode(Value.self, forKey: key) }
        return result
    }
}
