/** The events that `live.js` dispatches for the other scripts of a page. */
interface DocumentEventMap {
  'live:subscribed': CustomEvent<null>
  // oxlint-disable-next-line no-explicit-any
  'live:event': CustomEvent<{ event: string; data: any }>
  /** The page as it is now. */
  'live:page': CustomEvent<Document>
}
