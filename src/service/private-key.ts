import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import { SetupError } from '../domain/errors.ts'

type Given = Pick<Config, 'privateKey' | 'privateKeyPath'>

/**
 * The app's private key as PEM. A wrong one is noticed here rather than at the first call that needs
 * it, which would be in the middle of a build.
 */
export async function readPrivateKey(given: Given): Promise<string> {
  const setting = given.privateKey === undefined ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY'
  const key = parse(given.privateKey === undefined ? await readKeyFile(given) : given.privateKey)
  if (key?.asymmetricKeyType === 'rsa') {
    return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  throw new SetupError(
    `the private key of the app cannot be used (${setting}): give the .pem file that the code host ` +
      'made for the app, whole, from "-----BEGIN" to "-----END"',
  )
}

/** Line breaks may be written as `\n`, or the whole in base64, as some platforms want it. */
function parse(text: string): KeyObject | undefined {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString()
  try {
    return createPrivateKey(plain.replaceAll('\\n', '\n'))
  } catch {
    return undefined
  }
}

async function readKeyFile({ privateKeyPath = '' }: Given): Promise<string> {
  try {
    return await readFile(privateKeyPath, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SetupError(
      `the file ${privateKeyPath} of PRIVATE_KEY_PATH cannot be read (${code}): ` +
        'give the path of the app’s .pem file, and let this user read it',
      { cause: error },
    )
  }
}
