internal import NetCore
internal import NetCrypto
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Restored tasks whose user isn't logged in.
extension DownloadBoard {
    /// The interval at which the client's logins are compared with those of the tasks that wait for their users.
    static let ownerInterval = Duration.seconds(5)

    static func waitsForOwner(_ url: String) -> DownloadError {
        DownloadError(
            .authentication,
            message: "the user who added the transfer isn't logged in; it continues when that user logs in", url: url)
    }

    /// The tasks that wait for their users, by ID.
    var waitingForOwners: [UUID: DownloadRecord] {
        state.withLock { $0.records.filter { $0.value.waitsForOwner && !$0.value.task.state.isFinal } }
    }

    /// Lets a task continue with the client's logins if they are those of its user.
    func ownerMayBeBack(_ id: UUID, _ login: CallLogin?) {
        let (rule, status) = state.withLock { ($0.records[id]?.request.network, $0.status) }
        // The request's closure is called without the lock.
        let verdict = rule?.verdict(on: status) ?? .isAllowed
        change { state, effects in
            guard var record = state.records[id], record.waitsForOwner,
                record.owner?.contains(exactly: login?.names ?? []) == true
            else { return }
            (record.login, record.waitsForOwner, record.task.error) = (login, false, nil)
            state.records[id] = record
            guard state.status == status, verdict == .isAllowed else { return }
            perform(state.queue.allow(id), &state, &effects)
        }
    }
}

extension DownloadManager {
    /// Watches the client's logins while tasks wait for their users.
    func watchOwners() {
        guard owners == nil, !board.waitingForOwners.isEmpty else { return }
        owners = Task { [weak self, board, client] in
            while (try? await board.clock.sleep(for: DownloadBoard.ownerInterval)) != nil {
                for (id, record) in board.waitingForOwners {
                    board.ownerMayBeBack(id, await client.login(ofTransferFrom: record.request.url))
                }
                if await self?.stopWatchingOwners() != false { return }
            }
        }
    }

    /// Returns false if a task still waits.
    private func stopWatchingOwners() -> Bool {
        guard board.waitingForOwners.isEmpty else { return false }
        owners = nil
        return true
    }
}
