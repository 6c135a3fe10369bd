#if Tools
/// A table of distinct texts; columns contain their numbers.
struct ReportTexts {
    private(set) var all: [String] = []
    private var numbers: [String: Int64] = [:]

    /// Returns the number of a text; nil for nil.
    mutating func number(_ text: String?) -> Int64? {
        guard let text else { return nil }
        // Strings that compare equal but have different bytes stay separate.
        if let known = numbers[text], all[Int(known)].utf8.elementsEqual(text.utf8) { return known }
        let number = Int64(all.count)
        all.append(text)
        numbers[text] = number
        return number
    }
}
#endif
