import path from 'node:path'
import { secretFile } from './secret-file.ts'

/** The key of `DATA_DIR/master.key` as hex digits, created at the first start. */
export function masterKeyFile(dataDir: string): Promise<string> {
  return secretFile(path.join(dataDir, 'master.key'))
}
