import { buildPages } from './build.ts'
import { codePages } from './codes.ts'
import { homePages } from './home.ts'
import { jobPages } from './job.ts'
import { lintPages } from './lint.ts'
import { repositoryPages } from './repository.ts'

/** Every page on which nothing runs. The first segments of the API are no names of owners (D29). */
export const pages = [...homePages, ...codePages, ...repositoryPages, ...buildPages, ...jobPages]

/** Those that a script of ours helps. */
export const scriptedPages = lintPages
