extension StructuredField {
    /// Values by key, in order. Setting an existing key keeps its position (RFC 9651 section 4.2.2).
    ///
    ///     var parameters: StructuredField.Parameters = ["q": .decimal(0.5)]
    ///     parameters["charset"] = .string("utf-8")
    ///     print(parameters.map(\.key))
    public struct OrderedMap<Value: Sendable & Hashable>: Sendable, ExpressibleByDictionaryLiteral {
        private var entries: [(key: String, value: Value)] = []
        private var places: [String: Int] = [:]

        /// Creates an empty map.
        public init() {}

        public init(dictionaryLiteral elements: (String, Value)...) {
            for (key, value) in elements { self[key] = value }
        }

        /// The value of a key; setting nil removes it.
        public subscript(key: String) -> Value? {
            get { places[key].map { entries[$0].value } }
            set {
                switch (places[key], newValue) {
                case (let place?, let value?): entries[place].value = value
                case (nil, let value?):
                    places[key] = entries.count
                    entries.append((key, value))
                case (let place?, nil):
                    entries.remove(at: place)
                    places[key] = nil
                    for index in place..<entries.count { places[entries[index].key] = index }
                case (nil, nil): break
                }
            }
        }
    }
}

extension StructuredField.OrderedMap: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { entries.count }
    public subscript(position: Int) -> (key: String, value: Value) { entries[position] }
}

extension StructuredField.OrderedMap: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        for (key, value) in entries {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}
