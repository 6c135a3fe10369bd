// HTTPRequest, HTTPResponse and HTTPFields are part of this module's vocabulary, so one import brings both.
@_exported public import HTTPTypes
