/// A part of a form.
struct MultipartPart: Decodable, Equatable {
    let name, value: String
    var filename, type: String?
}
