import type { Route } from '../route.ts'
import { activityRoutes } from './activity.ts'
import { branchRoutes } from './branches.ts'
import { checkRunRoutes } from './check-runs.ts'
import { commitRoutes } from './commits.ts'
import { contentRoutes } from './contents.ts'
import { gitRoutes } from './git.ts'
import { graphqlRoutes } from './graphql.ts'
import { hookRoutes } from './hook.ts'
import { installationRoutes } from './installations.ts'
import { manifestRoutes } from './manifest.ts'
import { oauthRoutes } from './oauth.ts'
import { pullRoutes } from './pulls.ts'
import { repositoryRoutes } from './repositories.ts'
import { statusRoutes } from './statuses.ts'
import { userRoutes } from './users.ts'

/** The first that matches is used. Names of commits have slashes, so what hangs on them goes first. */
export const routes: readonly Route[] = [
  ...installationRoutes,
  ...hookRoutes,
  ...statusRoutes,
  ...checkRunRoutes,
  ...commitRoutes,
  ...activityRoutes,
  ...branchRoutes,
  ...contentRoutes,
  ...gitRoutes,
  ...graphqlRoutes,
  ...pullRoutes,
  ...repositoryRoutes,
  ...userRoutes,
  ...oauthRoutes,
  ...manifestRoutes,
]
