/// One event of a YAML stream (YAML 1.1, section 4.1): the parts that a document's value needs.
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
    /// The anchor that names the node; nil for most.
    var anchor: String?
    /// The tag in full, `tag:yaml.org,2002:str`; nil where the document writes none.
    var tag: String?
}
