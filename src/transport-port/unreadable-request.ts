/** What came on a socket and was no request: nobody's, so no merchant's journal holds it. */
export interface UnreadableRequest {
  /** Why it could not be read, and what to change where that is known. Quotes nothing of what came. */
  readonly reason: string;
}

export type UnreadableRequestListener = (unreadable: UnreadableRequest) => void;
