import { validationFailed } from '../../domain/errors.ts'
import { type PrivateKey, readPrivateKey, type UnusableKey } from '../../secrets/private-key.ts'
import { parameter } from './parameter.ts'

/** Messages for errors whose codes are not clear by themselves. */
const advice: Partial<Record<UnusableKey, string>> = {
  key_with_a_passphrase:
    'the key is protected by a passphrase, which no job can enter: ' +
    'send one without it (`ssh-keygen -p -f FILE` removes it from a copy)',
}

/** A required private key for SSH. */
export const privateKey = () =>
  parameter<PrivateKey>({
    schema: { type: 'string', pattern: String.raw`\S` },
    parse: (given) => given ?? null,
    refuse: () => validationFailed([{ field: 'value', code: 'missing_field' }]),
    value: keyIn,
  })

/** A private key for SSH; undefined if it was not sent. */
export const privateKeyOrNone = () =>
  parameter<PrivateKey | undefined>({
    schema: { type: 'string', pattern: String.raw`\S` },
    parse: (given) => given,
    refuse: () => validationFailed([{ field: 'value', code: 'missing_field' }]),
    value: (text: string | undefined) => (text === undefined ? undefined : keyIn(text)),
  })

function keyIn(text: string): PrivateKey {
  const key = readPrivateKey(text)
  if (typeof key !== 'string') return key
  const message = advice[key]
  throw validationFailed([{ field: 'value', code: key, ...(message ? { message } : {}) }])
}
