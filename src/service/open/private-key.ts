import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'

type PrivateKeySettings = Pick<Config, 'privateKey' | 'privateKeyPath'>

/**
 * The app's private key as PEM. It is validated here rather than at the first call that needs it,
 * which would be in the middle of a build.
 */
export async function readPrivateKey(settings: PrivateKeySettings): Promise<string> {
  const setting = settings.privateKey === undefined ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY'
  const key = parse(
    settings.privateKey === undefined ? await readKeyFile(settings) : settings.privateKey,
  )
  if (key?.asymmetricKeyType === 'rsa') {
    return key.export({ type: 'pkcs8', format: 'pem' }).toString()
  }
  throw new SetupError(
    `the private key of the app cannot be used (${setting}): give the .pem file that the code host ` +
      'made for the app, whole, from "-----BEGIN" to "-----END"',
  )
}

/** Line breaks may be written as `\n`, or all of it in base64, as some platforms require. */
function parse(text: string): KeyObject | undefined {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString()
  try {
    return createPrivateKey(plain.replaceAll('\\n', '\n'))
  } catch {
    return undefined
  }
}

async function readKeyFile({ privateKeyPath = '' }: PrivateKeySettings): Promise<string> {
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
