// SPDX-License-Identifier: Apache-2.0
// Running means, by Boost.Accumulators, where values come one by one or with weights; Summary has the moments of a set.
#pragma once
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/weighted_mean.hpp>

namespace assay {

namespace acc = boost::accumulators;

/// Takes values as `mean(value)`; acc::mean and acc::count read it. NaN where there are none.
using Mean = acc::accumulator_set<double, acc::stats<acc::tag::count, acc::tag::mean>>;
/// Takes values as `mean(value, acc::weight = w)`; acc::weighted_mean and acc::sum_of_weights read it.
using WeightedMean =
    acc::accumulator_set<double, acc::stats<acc::tag::sum_of_weights, acc::tag::weighted_mean>, double>;

}  // namespace assay
