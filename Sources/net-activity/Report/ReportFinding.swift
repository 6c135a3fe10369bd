#if Tools
/// Something that is wrong, in words; a click on it sets the filter.
struct ReportFinding {
    /// How bad it is; the raw value is the class of its style.
    enum Severity: String { case error, warning, note }

    var severity: Severity
    /// What is wrong, in a few words.
    var title: String
    /// Figures, and what to do.
    var text: String
    /// The expression that lists the calls.
    var filter: String
}
#endif
