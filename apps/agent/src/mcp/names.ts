/** The tool with which the model finds tools of servers. */
export const SEARCH_NAME = 'ToolSearch';
