import { distanceBetween, lackedBy, lettered, sortedBytes } from '../misspellings/distance.ts'
import { secureKeys } from './table.ts'

/** Endings of the names of secrets, without separators between words. */
const endings = [
  ...['token', 'secret', 'secretkey', 'password', 'passwd', 'passphrase', 'passcode'],
  ...[
    'credential',
    'credentials',
    'apikey',
    'accesskey',
    'privatekey',
    'authkey',
    'secretaccesskey',
  ],
]
const shortest = 5
const prepared = endings.map(lettered)

/** Whether the name of a key or variable suggests a secret, even if misspelt. */
export function namesSecret(name: string): boolean {
  if (name.length > 100) return false
  const words = wordsOf(name)
  return [1, 2, 3].some((count) => {
    const end = words.slice(-count).join('')
    return end.length >= shortest - 1 && isEnding(end)
  })
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

/** Tolerates one wrong, missing or extra letter, or two letters swapped. */
function isEnding(text: string): boolean {
  const end = lettered(text)
  return prepared.some(({ bytes, letters }) => {
    if (Math.abs(bytes.length - end.bytes.length) > 1) return false
    if (lackedBy(letters, end.letters) > 1) return false
    const distance = distanceBetween(end.bytes, bytes)
    return distance <= 1 || (distance === 2 && sortedBytes(end.bytes) === sortedBytes(bytes))
  })
}

let secure: ReadonlySet<string> | undefined

/** Whether the schema has a key of that name whose value should be encrypted. */
export function isSecureKey(name: string): boolean {
  secure ??= new Set(JSON.parse(secureKeys) as string[])
  return secure.has(name)
}
