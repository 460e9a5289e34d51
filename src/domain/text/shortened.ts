/**
 * Shortens a text to at most `longest` UTF-16 units, as code hosts count them; a shortened text ends
 * with an ellipsis. The cut is between characters, because half a character is refused.
 */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/**
 * Number of characters in a text, or in all texts and names of a configuration. Counting ends above
 * `most`: through aliases a short file can be a configuration of any length.
 */
export function charactersIn(value: unknown, most = Infinity): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  let characters = 0
  for (const [name, member] of Object.entries(value)) {
    characters += name.length + charactersIn(member, most - characters)
    if (characters > most) break
  }
  return characters
}
