/** A text with names and code in backticks. */
export function Prose({ text }: { text: string }) {
  const pieces = text.split('`')
  return <>{pieces.map((piece, index) => (index % 2 === 1 ? <code>{piece}</code> : piece))}</>
}
