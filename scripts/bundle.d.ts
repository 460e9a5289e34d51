export function bundleLinter(folder: string): Promise<string[]>
