import { realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'

/** The homes of the account that runs this, where they are its own, as paths without links. */
export function ownHomes(): string[] {
  const found = [homedir(), userInfo().homedir].flatMap((name) => {
    try {
      const folder = realpathSync(name)
      // Accounts of the system may have a folder of programs as their home.
      return statSync(folder).uid === process.getuid?.() && folder !== '/' ? folder : []
    } catch {
      return []
    }
  })
  return [...new Set(found)]
}
