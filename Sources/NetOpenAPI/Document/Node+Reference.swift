extension Node {
    /// The text of `$ref` when the node is a reference: an object whose `$ref` is a scalar.
    ///
    /// A schema may have a property called `$ref`; under `properties` its value is an object, so that one is none.
    public var reference: String? {
        self["$ref"]?.text
    }

    /// The element or member a pointer's segment names (RFC 6901, section 4).
    func child(_ segment: String) -> Node? {
        switch value {
        case .object: return self[segment]
        case .array(let elements):
            guard let place = Int(segment), String(place) == segment, elements.indices.contains(place) else {
                return nil
            }
            return elements[place]
        case .scalar: return nil
        }
    }
}
