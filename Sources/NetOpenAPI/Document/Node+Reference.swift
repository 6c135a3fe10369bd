extension Node {
    /// The text of `$ref` if the node is a reference: an object whose `$ref` is a scalar.
    ///
    /// A schema can have a property called `$ref`. Its value, under `properties`, is an object, so this isn't a
    /// reference.
    public var reference: String? {
        self["$ref"]?.text
    }

    /// Returns the element or member that a segment of a pointer refers to (RFC 6901, section 4).
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
