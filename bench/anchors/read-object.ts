import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const decompress = promisify(gunzip)

/** The text of a gzip file. */
export async function readGzip(file: string): Promise<string> {
  return String(await decompress(await readFile(file)))
}
