import type { ConditionData } from '../../buildfile/conditions/data.ts'
import { type ImportTarget, targetKey } from '../../buildfile/imports/reference.ts'
import type { Loaded, Raw } from '../../buildfile/imports/source.ts'
import { readBuildFileWithImports } from '../../buildfile/read-build-file.ts'
import { buildFilePath, type ConfigRead, configOf } from './config-read.ts'
import type { Wanted } from './read-with-imports.ts'

/** All data that a configuration is made from. It is plain data, because it is passed to a thread. */
export interface Texts {
  /** The build file; null if an API request supplied all texts. */
  own: Raw | null
  /** The texts of the API request, in order of precedence. */
  brought: readonly Raw[]
  /** owner/name */
  repository: string
  /** The results of loading imported files, by their keys. */
  loaded: ReadonlyMap<string, Loaded>
}

/** Reads a build file with its imports, as far as they are loaded. */
export async function readTexts(
  { own, brought, repository, loaded }: Texts,
  data: ConditionData,
): Promise<{ read: ConfigRead } | Wanted> {
  const wanted: ImportTarget[] = []
  const file = await readBuildFileWithImports(own?.text ?? null, {
    path: buildFilePath,
    brought,
    repository,
    data,
    async load(target) {
      const known = loaded.get(targetKey(target))
      if (!known) wanted.push(target)
      // A missing import ends the reading before its expensive part.
      return known ?? { kind: 'missing' }
    },
  })
  return wanted.length > 0 ? { wanted } : { read: configOf(file, own, brought) }
}
