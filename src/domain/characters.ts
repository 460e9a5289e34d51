/**
 * The characters of a text, or of all texts and names in a configuration. Counting ends where there are more
 * than `most`: through aliases a short file can be a configuration of any length.
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
