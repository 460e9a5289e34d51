import { json } from '../answer.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { hrefOf } from './href.ts'
import { readInclude } from './include.ts'
import { paginationOf } from './pagination.ts'
import { render } from './render.ts'
import type { View } from './resource.ts'
import { registry } from './resources/index.ts'
import { isPage, type Presented } from './presented.ts'
import { warningsFor } from './warnings.ts'

/** Renders what an endpoint presents, with a warning for each parameter that it does not accept. */
export async function renderPresented(presented: Presented, call: Call, { accepts }: Endpoint) {
  const view = viewOf(call)
  if (!isPage(presented)) {
    const { resource, representation, model } = presented
    const [rendered] = await render(registry, view, resource, [model as never], { representation })
    return json({ ...warningsFor(call, accepts), ...rendered })
  }
  const { collection, query, page } = presented
  const { url } = call.request
  const models = page.records as never[]
  return json({
    ...warningsFor(call, [...accepts, 'skip_count'], query.warnings),
    '@type': collection.type,
    '@href': view.href(url),
    '@representation': 'standard',
    '@pagination': paginationOf({ ...query, count: page.count }, url, view.href),
    [collection.type]: await render(registry, view, collection.of, models),
  })
}

function viewOf({ ctx, viewer, query, request }: Call): View {
  return {
    ctx,
    viewer,
    href: (path) => hrefOf(ctx.site, request, path),
    include: readInclude(query.include),
  }
}
