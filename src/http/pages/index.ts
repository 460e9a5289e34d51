import { apiPages } from './api/route.ts'
import { buildNowPages } from './build-now/route.ts'
import { buildPages } from './build/route.ts'
import { codePages } from './codes/route.ts'
import { cronPages } from './crons/route.ts'
import { docsPages } from './docs/route.ts'
import { explorerPages } from './explorer/route.ts'
import { homePages } from './home/route.ts'
import { jobPages } from './job/route.ts'
import { keyPages } from './keys/route.ts'
import { lintPages } from './lint/route.ts'
import { loginPages } from './login/route.ts'
import { profilePages } from './profile/route.ts'
import { queuePages } from './queue/route.ts'
import { followingRenames } from './renamed.ts'
import { repositoryPages } from './repository/route.ts'
import { settingPages } from './settings/route.ts'
import { setupPages } from './setup/route.ts'
import { variablePages } from './variables/route.ts'

/** Pages without a script. */
export const plainPages = [
  ...codePages,
  ...docsPages,
  ...apiPages,
  ...explorerPages,
  ...loginPages,
  ...profilePages,
  ...queuePages,
  ...setupPages,
  ...[...buildNowPages, ...settingPages, ...variablePages, ...keyPages, ...cronPages].map(
    followingRenames,
  ),
]

/** Pages with a script, which is in `client/`. */
export const scriptedPages = [...lintPages]

/** Pages with scripts that connect to the streaming service. */
export const livePages = [
  ...homePages,
  ...[...repositoryPages, ...buildPages, ...jobPages].map(followingRenames),
]

/** The table of pages: each page is in exactly one of these lists. */
export const pages = [...plainPages, ...scriptedPages, ...livePages]
