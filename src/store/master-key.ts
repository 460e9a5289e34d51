import path from 'node:path'
import { secretFile } from './secret-file.ts'

export const masterKeyPath = (dataDir: string) => path.join(dataDir, 'master.key')

/** The key of `DATA_DIR/master.key` as hex digits, created at the first start. */
export function masterKeyFile(dataDir: string): Promise<string> {
  return secretFile(masterKeyPath(dataDir))
}
