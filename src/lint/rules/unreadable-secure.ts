import { findTokens } from '../../domain/text/token-shapes.ts'
import { writtenNodes } from '../context/written.ts'
import type { LintRule } from './rule.ts'

/** RSA output has the length of the key, 1,024 to 8,192 bits; here in bytes. */
const [shortest, longest, step] = [128, 1024, 64]

const plainText =
  'this is plain text and was never encrypted, so everyone can read it: remove it, and revoke it if ' +
  'it is a secret'

export const unreadableSecure: LintRule = {
  code: 'unreadable_secure',
  level: 'warn',
  summary: 'An encrypted value of a length that no key makes.',
  why:
    'Encryption with the key of a repository yields texts of one length: for a key of 4,096 bits that ' +
    'is 512 bytes, or 684 characters of base64. A value of another length was cut short when it was ' +
    'copied, or never was encrypted, and no one can read it. In the job it is missing.',
  examples: [
    {
      source: 'env:\n  global:\n    - secure: c2VjcmV0\n',
      messages: [
        'this encrypted value has 6 bytes, which no key makes, so no one can read it: encrypt it ' +
          'again (build-service encrypt), or remove it',
      ],
    },
    {
      source: 'env:\n  global:\n    - secure: ""\n',
      messages: ['this encrypted value is empty, so there is nothing to read: remove it'],
    },
    {
      source: 'env:\n  global:\n    - secure: 0123456789abcdef0123456789abcdef01234567\n',
      messages: [
        'this is plain text and was never encrypted, so everyone can read it: remove it, and revoke ' +
          'it if it is a secret',
      ],
    },
    { source: `env:\n  global:\n    - secure: ${'A'.repeat(683)}=\n`, messages: [] },
    { source: 'env:\n  global:\n    - TOKEN=abc\n', messages: [] },
  ],
  mentions: /secure/,

  *check({ once }) {
    for (const { node, path } of once(writtenNodes)) {
      if (node.kind !== 'secure' || node.value.kind !== 'str') continue
      const text = node.value.value.replaceAll(/\s/g, '')
      if (isReadable(text)) {
        yield { message: plainText, path, at: node.value }
        continue
      }
      // Values that are not base64 get a message of their own.
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) continue
      const bytes = (text.length / 4) * 3 - (/=*$/.exec(text)?.[0].length ?? 0)
      if (bytes >= shortest && bytes <= longest && bytes % step === 0) continue
      const message =
        bytes === 0
          ? 'this encrypted value is empty, so there is nothing to read: remove it'
          : `this encrypted value has ${bytes} bytes, which no key makes, so no one can read it: ` +
            'encrypt it again (build-service encrypt), or remove it'
      yield { message, path, at: node.value }
    }
  },
}

/** Whether a text looks like a token that services issue, including hexadecimal digits. */
function isReadable(text: string): boolean {
  return (
    findTokens(text).length > 0 ||
    /^(?:[0-9a-f]{20,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(text)
  )
}
