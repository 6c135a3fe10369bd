#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The settings of a `JSONDecoder`, which the decoder over a ``JSONDocument`` follows.
struct JSONDecodingSettings {
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floats: JSONDecoder.NonConformingFloatDecodingStrategy
    let names: JSONNames
    let userInfo: [CodingUserInfoKey: Any]

    init(_ decoder: JSONDecoder) {
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        names =
            switch decoder.keyDecodingStrategy {
            case .useDefaultKeys: .asWritten
            case .convertFromSnakeCase: .fromSnakeCase
            case .custom(let convert): .custom(convert)
            #if canImport(Darwin)
            @unknown default: .asWritten
            #endif
            }
        let info = decoder.userInfo
        userInfo = info.isEmpty ? [:] : info.mapValues { $0 as Any }
    }
}

extension JSONDecoder {
    /// True if the decoder must parse the text itself: it is a subclass, allows JSON5, or assumes the outer braces.
    var readsInItsOwnWay: Bool {
        type(of: self) != JSONDecoder.self || allowsJSON5 || assumesTopLevelDictionary
    }
}
