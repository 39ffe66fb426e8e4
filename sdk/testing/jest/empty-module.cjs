/** Stands in for style sheets and pictures, which have no meaning in a unit test. */
module.exports = {};
