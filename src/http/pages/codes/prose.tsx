/** A text in which names and code stand in backticks. */
export function Prose({ text }: { text: string }) {
  const pieces = text.split('`')
  return <>{pieces.map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}</>
}
