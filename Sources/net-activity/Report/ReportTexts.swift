#if Tools
/// Texts, each once: columns hold their numbers.
struct ReportTexts {
    private(set) var all: [String] = []
    private var numbers: [String: Int64] = [:]

    /// The number of a text; nil for none.
    mutating func number(_ text: String?) -> Int64? {
        guard let text else { return nil }
        // Texts that only compare equal keep their own bytes.
        if let known = numbers[text], all[Int(known)].utf8.elementsEqual(text.utf8) { return known }
        let number = Int64(all.count)
        all.append(text)
        numbers[text] = number
        return number
    }
}
#endif
