/** The text of an address in a build file, or why it has none. */
export type OpenAddress = { text: string; secret: boolean } | { problem: string }

/** Reads an address as a build file has it. */
export function openAddress(address: unknown): OpenAddress {
  if (typeof address === 'string') return { text: address, secret: false }
  if (typeof address === 'object' && address !== null && 'secure' in address) {
    return { problem: 'The address is encrypted, which this version cannot open.' }
  }
  return { problem: 'The address is not a text.' }
}
