#if Tools
/// The page of a report without data, which it fetches from its server.
enum LivePage {
    static let html: [UInt8] = {
        let policy = ReportPage.beforeData
            .replacing(ReportPage.hashes.0, with: ReportPage.hashes.1)
            .replacing("default-src 'none';", with: "default-src 'none'; connect-src 'self';")
        return Array((policy + ReportPage.afterData + ReportPage.live + ReportPage.end).utf8)
    }()
}
#endif
