/// Downloads files.
public actor DownloadManager {
}
