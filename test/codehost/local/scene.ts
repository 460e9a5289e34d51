import { createLocalCodehost } from '../../../src/codehost/local/local-codehost.ts'
import { addRepository } from '../../../src/codehost/local/register.ts'
import { localDatabase } from './database.ts'
import { temporaryFolders } from './git-folder.ts'

/** A separate local code host for the test file, and a function that creates git repositories. */
export async function localScene() {
  const local = createLocalCodehost({ db: await localDatabase() })
  const folders = await temporaryFolders()
  let count = 0

  /** A registered repository, bare and empty, unless options of `git init` say otherwise. */
  async function makeRepository(option = '--bare') {
    const folder = await folders.makeFolder(option)
    const facts = await addRepository(local, folder, { name: `hello-${++count}` })
    return { ...facts, slug: `local/${facts.name}`, installation: null, folder }
  }

  return { local, ...folders, makeRepository }
}
