import path from 'node:path'
import { createLocalCodehost } from '../../../src/codehost/local/local-codehost.ts'
import { addRepository } from '../../../src/codehost/local/register.ts'
import { localDatabase } from './database.ts'
import { makeGitFolder, temporaryFolder } from './git-folder.ts'

/** A local code host of the test file's own, and a way to get git repositories. */
export async function localScene() {
  const local = createLocalCodehost({ db: await localDatabase() })
  const root = await temporaryFolder()
  let folders = 0

  /** A new folder's path; nothing is there yet. */
  const newFolder = (name = 'hello') => path.join(root, String(++folders), name)

  const makeFolder = (...options: string[]) => makeGitFolder(newFolder(), ...options)

  /** A registered repository, bare and empty. */
  async function makeRepository() {
    const folder = await makeFolder('--bare')
    const facts = await addRepository(local, folder, { name: `hello-${folders}` })
    return { ...facts, folder }
  }

  return { local, root, newFolder, makeFolder, makeRepository }
}
