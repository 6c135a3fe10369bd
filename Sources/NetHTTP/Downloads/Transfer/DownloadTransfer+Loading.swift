internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// A signal to the task that runs the ranges of a file.
enum RangeSignal: Sendable {
    /// Start one more range.
    case add
    /// A range has ended.
    case ended(DownloadTransfer.Outcome)
}

extension DownloadTransfer {
    /// A response whose body is being loaded.
    private struct Opened: Sendable {
        let body: ResponseBody
        let piece: RangePlan.Piece
        /// The end of the body's range.
        let end: Int64
    }

    /// Loads the body of the first response, and the other missing bytes over concurrent ranges.
    func load(
        _ body: ResponseBody, of missing: [Range<Int64>], covering range: Range<Int64>, _ writer: DownloadWriter
    ) async -> Outcome {
        let now = clock.now()
        let (mayDivide, version) = state.withLock { ($0.mayDivide, $0.version) }
        let divides = mayDivide && range.upperBound < .max && version.map(canJoin) ?? false
        let piece = state.withLock { state in
            state.plan = RangePlan(missing: missing)
            state.growth = RangeGrowth(maximum: divides ? min(32, job.request.ranges) : 1, now: now)
            let piece = state.plan.take()
            state.fresh = piece.map { [$0.id] } ?? []
            return piece
        }
        guard let piece else {
            // An empty file.
            var rest = body.makeAsyncIterator()
            _ = try? await rest.next()
            return .loaded
        }
        let first = Opened(body: body, piece: piece, end: range.upperBound)
        if state.withLock({ $0.growth.maximum }) == 1 { return await work(0, first, writer) }
        return await loadRanges(first, writer)
    }

    /// Runs as many ranges as make the download faster.
    private func loadRanges(_ first: Opened, _ writer: DownloadWriter) async -> Outcome {
        // A range sends at most two signals before they're processed.
        let (signals, signal) = AsyncStream.makeStream(of: RangeSignal.self, bufferingPolicy: .bufferingNewest(128))
        state.withLock { $0.signal = signal }
        defer { state.withLock { $0.signal = nil } }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { signal.yield(.ended(await self.work(0, first, writer))) }
            var (running, number, told) = (1, 0, 1)
            var failure: Outcome?
            for await event in signals {
                switch event {
                case .add:
                    number += 1
                    running += 1
                    group.addTask { [number] in signal.yield(.ended(await self.work(number, nil, writer))) }
                case .ended(let outcome):
                    running -= 1
                    if case .ended = outcome {
                        group.cancelAll()
                        return outcome
                    }
                    failure = rangeEnded(outcome) ?? failure
                }
                let count = min(running, state.withLock { $0.growth.count })
                if count != told, running > 0 { report(.ranges(count)) }
                told = count
                if running == 0 { break }
            }
            if Task.isCancelled { return .ended(cancelled) }
            return state.withLock { $0.plan.isComplete } ? .loaded : failure ?? .left
        }
    }

    /// Records the end of a range. Returns the outcome if the range failed.
    private func rangeEnded(_ outcome: Outcome) -> Outcome? {
        switch outcome {
        case .loaded, .left, .ended: return nil
        case .failed(.failure), .interrupted:
            state.withLock { $0.growth.lostOne() }
        case .failed(.response), .startOver, .unchanged, .expired, .rejected:
            // Every server supports a single range, so the download falls back to one.
            state.withLock { state in
                state.mayDivide = false
                state.growth.failed()
                let keeps = state.plan.open.keys.min()
                for id in state.plan.open.keys where id != keeps { state.plan.close(id) }
            }
        }
        return outcome
    }

    /// Loads one piece after another, over one connection if the server allows it.
    private func work(_ number: Int, _ first: Opened?, _ writer: DownloadWriter) async -> Outcome {
        var next = first
        while true {
            let opened: Opened
            if let ready = next.take() {
                opened = ready
            } else {
                let piece = state.withLock { state in
                    let piece = state.plan.take()
                    if let piece { state.fresh.insert(piece.id) }
                    return piece
                }
                guard let piece else { return .loaded }
                switch await open(piece, number) {
                case .success(let ready): opened = ready
                case .failure(let failed):
                    close(piece)
                    return failed.outcome
                }
            }
            let outcome = await pump(opened, writer)
            close(opened.piece)
            guard case .loaded = outcome else { return outcome }
        }
    }

    /// Returns the unloaded rest of a piece to the plan.
    private func close(_ piece: RangePlan.Piece) {
        state.withLock { state in
            state.plan.close(piece.id)
            state.fresh.remove(piece.id)
        }
    }

    /// Requests a piece from the server, or from one of the mirrors, which take turns. A mirror that refuses it is
    /// removed.
    private func open(_ piece: RangePlan.Piece, _ number: Int) async -> Result<Opened, Failed> {
        while true {
            let link = state.withLock { $0.digests.isEmpty ? $0.links.current : $0.links[number] }
            let result = await open(piece, of: link, isExtra: number > 0)
            guard link.isMirror, case .failure = result, !Task.isCancelled,
                state.withLock({ $0.links.drop(link) })
            else { return result }
        }
    }

    private func open(
        _ piece: RangePlan.Piece, of link: DownloadLinks.Link, isExtra: Bool
    ) async -> Result<Opened, Failed> {
        let version = state.withLock { $0.version } ?? DownloadVersion()
        let question = DownloadAnswer.Question(
            range: piece.bytes, length: version.length, validators: version.validators, coding: version.coding,
            comparesValidators: comparesValidators(of: link))
        let response: StreamedResponse
        switch await ask(question, link, isExtra: isExtra) {
        case .success(let ready): response = ready
        case .failure(let failed): return .failure(failed)
        }
        let answer = DownloadAnswer.judge(response.head, to: question)
        switch answer {
        case .part(let range, _):
            state.withLock { $0.isJoined = true }
            return .success(Opened(body: response.body, piece: piece, end: range.upperBound))
        case .whole:
            response.body.cancel()
            return .failure(Failed(outcome: .startOver(.otherPart)))
        default:
            await response.discardBody()
            return .failure(Failed(outcome: outcome(answer, response.head)))
        }
    }

    /// Writes the chunks of a body to the file. Returns `.loaded` if the body or the piece ended as expected.
    private func pump(_ opened: Opened, _ writer: DownloadWriter) async -> Outcome {
        let watched = watch(opened)
        defer { if let watched { run.changes?.leave(watched) } }
        var chunks = opened.body.makeAsyncIterator()
        do throws(NetError) {
            while let chunk = try await chunks.next() {
                if let limit = run.limit {
                    do { try await limit.wait(for: chunk.count) } catch {
                        opened.body.cancel()
                        return .ended(cancelled)
                    }
                }
                let came = bytesCame(chunk.count, opened.piece.id)
                if came.start == 0, came.accepted > 0 { keepBeginning(chunk[0..<came.accepted]) }
                do throws(DownloadError) {
                    let accepted = came.accepted == chunk.count ? chunk : chunk[0..<came.accepted]
                    if came.accepted > 0 { try await writer.write(accepted, at: came.start, more: came.isLast) }
                } catch {
                    opened.body.cancel()
                    return .ended(error)
                }
                guard came.isFinished else { continue }
                if came.isClosed {
                    opened.body.cancel()
                    return .left
                }
                // Reading the body to its end makes the connection available for the next request.
                if came.start + Int64(came.accepted) == opened.end, came.accepted == chunk.count {
                    _ = try? await chunks.next()
                }
                opened.body.cancel()
                return .loaded
            }
        } catch {
            if Task.isCancelled { return .ended(cancelled) }
            return isInterrupted(opened) ? .interrupted : .failed(.failure(error))
        }
        if Task.isCancelled { return .ended(cancelled) }
        return isInterrupted(opened) ? .interrupted : bodyEnded(opened, writer)
    }

    /// Determines the outcome of a body that ended before its piece.
    private func bodyEnded(_ opened: Opened, _ writer: DownloadWriter) -> Outcome {
        let place = state.withLock { $0.plan.open[opened.piece.id]?.bytes.lowerBound }
        guard let place else { return .loaded }
        guard opened.end == .max else {
            return place >= opened.end ? .loaded : .failed(.failure(brokenOff(opened)))
        }
        state.withLock { $0.plan.end(opened.piece.id) }
        let part = part
        do throws(DownloadError) {
            try writer.post { () throws(DownloadError) in part.setLength(place) }
        } catch {
            return .ended(error)
        }
        return .loaded
    }

    /// Keeps the first bytes for detecting the media type of the file, if there are enough of them.
    private func keepBeginning(_ chunk: Bytes) {
        let isAll = state.withLock { $0.version?.length == Int64(chunk.count) }
        guard chunk.count >= MediaType.sniffedBytes || isAll else { return }
        let copy = chunk[0..<min(chunk.count, MediaType.sniffedBytes)].withUnsafeBytes { Bytes(copying: $0) }
        state.withLock { $0.beginning = copy }
    }

    private func brokenOff(_ opened: Opened) -> NetError {
        let place = state.withLock { $0.plan.open[opened.piece.id]?.bytes.lowerBound } ?? opened.piece.bytes.lowerBound
        return NetError(
            .connectionLost, phase: .receiving,
            message: "the body ended at byte \(place) instead of \(opened.end == .max ? "its end" : "\(opened.end)")")
    }

    private func isInterrupted(_ opened: Opened) -> Bool {
        state.withLock { $0.interrupted.remove(opened.piece.id) != nil }
    }

    /// Registers a transfer that a network change may end, if its file can be continued.
    private func watch(_ opened: Opened) -> Int? {
        guard let changes = run.changes, state.withLock({ $0.version }).map(canJoin) ?? false else { return nil }
        return changes.join(
            NetworkChanges.Watched(
                bytes: { [self] in state.withLock { $0.plan.open[opened.piece.id]?.bytes.lowerBound ?? 0 } },
                end: { [self] in
                    state.withLock { _ = $0.interrupted.insert(opened.piece.id) }
                    opened.body.cancel()
                }))
    }

    private func bytesCame(
        _ count: Int, _ id: Int
    ) -> (accepted: Int, start: Int64, isFinished: Bool, isClosed: Bool, isLast: Bool) {
        let now = clock.now()
        let (came, isClosed, isLast, signal) = state.withLock { state in
            let isClosed = !state.plan.isOpen(id)
            let came = state.plan.bytesCame(count, in: id)
            state.received += Int64(came.accepted)
            let isLast = state.plan.isComplete
            guard state.growth.maximum > 1 else {
                return (came, isClosed, isLast, AsyncStream<RangeSignal>.Continuation?.none)
            }
            state.fresh.remove(id)
            let isStable = state.fresh.isEmpty && state.plan.open.count == state.growth.count
            switch state.growth.bytesCame(came.accepted, isStable: isStable, now: now) {
            case .add where state.plan.hasMore: return (came, isClosed, isLast, state.signal)
            case .leaveOut:
                if let newest = state.plan.open.keys.max() { state.plan.close(newest) }
            case .add, nil: break
            }
            return (came, isClosed, isLast, nil)
        }
        signal?.yield(.add)
        return (came.accepted, came.start, came.isFinished, isClosed, isLast)
    }

    /// Returns a writer for one attempt, which reports the progress and checks the free space.
    func makeWriter() -> DownloadWriter {
        DownloadWriter(part: part, hash: hash, threads: run.threads) { [self] in
            let bytes = part.received.count
            let looks = state.withLock { state in
                state.attempts.bytesCame(total: bytes)
                let looks = bytes - state.lastRoom >= Self.roomStep
                if looks { state.lastRoom = bytes }
                return looks
            }
            report(.bytes(bytes))
            guard looks, let free = try? run.folder.freeBytes() else { return nil }
            return noRoom(free: free)
        }
    }
}
