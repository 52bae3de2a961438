/** The entry of the bundle: importing it defines the web components. */
export const version = "0.1.0";
