/// One event of a YAML stream (YAML 1.1, section 4.1), with only the parts that a value needs.
package struct YAMLEvent {
    package enum Kind {
        case streamStart, streamEnd, documentStart, documentEnd
        case alias(String)
        case scalar(String, isPlain: Bool)
        case sequenceStart, sequenceEnd
        case mappingStart, mappingEnd
    }

    package var kind: Kind
    package var position: SourcePosition
    /// The anchor of the node; nil for most nodes.
    package var anchor: String?
    /// The complete tag, such as `tag:yaml.org,2002:str`; nil if the document doesn't specify one.
    package var tag: String?
}
