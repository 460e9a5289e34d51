import { buildPages } from './build/route.ts'
import { codePages } from './codes/route.ts'
import { homePages } from './home/route.ts'
import { jobPages } from './job/route.ts'
import { lintPages } from './lint/route.ts'
import { repositoryPages } from './repository/route.ts'

/** Every page on which nothing runs. The first segments of the API are no names of owners (D29). */
export const pages = [...homePages, ...codePages, ...repositoryPages, ...buildPages, ...jobPages]

/** Those that a script of ours helps. */
export const scriptedPages = lintPages
