/** Bytes on a socket that are not an HTTP request. They belong to no merchant, so no journal has them. */
export interface UnreadableRequest {
  /** Why they could not be read, and what to change, if that is known. It quotes nothing of them. */
  readonly reason: string;
}

export type UnreadableRequestListener = (unreadable: UnreadableRequest) => void;
