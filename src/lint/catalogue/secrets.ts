import { plain } from '../quote.ts'
import type { CatalogueEntry } from './entry.ts'

/** Messages about secrets that are not encrypted properly, or that no one can read. */
export const secrets: readonly CatalogueEntry[] = [
  {
    code: 'secure',
    levels: ['alert', 'error'],
    meaning:
      'A password, key or token is in the file as plain text, visible to everyone who can read the ' +
      'repository, now or in its history. Under `vault` a token in plain text is refused.',
    text: ({ message }) =>
      message === undefined
        ? 'this secret is in plain text: encrypt it (build-service encrypt), and revoke ' +
          'it where it is in use; a variable such as $TOKEN is allowed only as the whole value'
        : `${plain(message)}: remove it from the file`,
    examples: [
      {
        source: 'addons:\n  code_climate:\n    repo_token: abc\n',
        messages: [
          'this secret is in plain text: encrypt it (build-service encrypt), and ' +
            'revoke it where it is in use; a variable such as $TOKEN is allowed only as the whole value',
        ],
      },
      { source: 'addons:\n  code_climate:\n    repo_token: $REPO_TOKEN\n', messages: [] },
    ],
  },
  {
    code: 'invalid_secure',
    levels: ['warn'],
    meaning:
      'The text under `secure` is not base64, so it cannot be decrypted. Usually a part is missing, ' +
      'or the value was never encrypted.',
    text: () =>
      'this encrypted value is not valid base64, so it cannot be decrypted: encrypt it again (build-service encrypt), or remove it',
    examples: [
      {
        source: 'env:\n  global:\n    - secure: abc\n',
        messages: [
          'this encrypted value is not valid base64, so it cannot be decrypted: encrypt it again (build-service encrypt), or remove it',
        ],
      },
    ],
  },
]
