/// One event of a YAML stream (YAML 1.1, section 4.1), with only the parts that a value needs.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    var kind: Kind
    var position: SourcePosition
    /// The anchor of the node; nil for most nodes.
    var anchor: String?
    /// The complete tag, such as `tag:yaml.org,2002:str`; nil if the document doesn't specify one.
    var tag: String?
}
