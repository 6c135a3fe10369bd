#if Tools
internal import NetStore

/// Reads the entries that the rules examine.
struct DoctorReading {
    let reader: ActivityReader
    let filter: ActivityFilter
    let limit: Int

    func read() async throws -> (Doctor, [StoredRun]) {
        var doctor = Doctor()
        var runs: Set<Int64> = []
        var (last, rest) = (nil as Int64?, limit)
        while rest > 0 {
            let page = try await reader.outlines(matching: filter & !.log, limit: min(rest, 100), before: last)
            guard let end = page.last else { break }
            (last, rest) = (end.item.id, rest - page.count)
            for detail in page {
                runs.insert(detail.item.run)
                doctor.see(ReportEntry(detail))
            }
        }
        return (doctor, try await reader.runs(limit: 10_000).filter { runs.contains($0.id) })
    }
}
#endif
