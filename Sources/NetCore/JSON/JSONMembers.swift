/// The members of an object by name. If several members have the same name, the first one counts.
struct JSONMembers {
    /// Up to this number of members, a lookup is a linear search.
    private static let fewMembers = 12

    let document: JSONDocument
    private let first: Int
    private let count: Int
    /// The entries of the values by name; nil if there are only a few members with plain names.
    private let table: [String: Int]?
    /// The names of the table, in the order of the text.
    private let order: [String]

    init(_ decoder: JSONTreeDecoder, names: JSONNames) throws {
        document = decoder.document
        first = decoder.index + 1
        count = Int(decoder.entry.count)
        guard count > Self.fewMembers || !names.areAsWritten || !Self.arePlain(document, first, count) else {
            table = nil
            order = []
            return
        }
        var table: [String: Int] = [:]
        var order: [String] = []
        table.reserveCapacity(count)
        order.reserveCapacity(count)
        var index = first
        for _ in 0..<count {
            let name = names.name(try decoder.text(index), in: decoder.codingPath)
            if table[name] == nil {
                table[name] = index + 1
                order.append(name)
            }
            index = document.next(after: index + 1)
        }
        self.table = table
        self.order = order
    }

    private static func arePlain(_ document: JSONDocument, _ first: Int, _ count: Int) -> Bool {
        var index = first
        for _ in 0..<count {
            guard document.entries[index].isPlain else { return false }
            index = document.next(after: index + 1)
        }
        return true
    }

    /// Returns the entry of a value; nil if no member has that name.
    func index(of name: String) -> Int? {
        if let table { return table[name] }
        var name = name
        return name.withUTF8 { name in
            document.bytes.withUnsafeBytes { bytes in
                document.entries.withUnsafeBufferPointer { entries in
                    var index = first
                    for _ in 0..<count {
                        let entry = entries[index]
                        if Int(entry.extent) == name.count,
                            Self.areEqual(bytes, Int(entry.offset), name)
                        {
                            return index + 1
                        }
                        let value = entries[index + 1]
                        index = value.isContainer ? Int(value.extent) : index + 2
                    }
                    return nil
                }
            }
        }
    }

    @inline(__always)
    private static func areEqual(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ name: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        for place in 0..<name.count where bytes[offset + place] != name[place] { return false }
        return true
    }

    /// The distinct names, in the order of the text.
    var names: [String] {
        guard table == nil else { return order }
        var result: [String] = []
        result.reserveCapacity(count)
        var index = first
        for _ in 0..<count {
            let name = document.withText(of: document.entries[index]) { String(decoding: $0, as: UTF8.self) }
            if !result.contains(name) { result.append(name) }
            index = document.next(after: index + 1)
        }
        return result
    }
}
